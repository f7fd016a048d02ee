const state = globalThis.__roo ?? (globalThis.__roo = { workspace: "", language: "en", shell: "/bin/bash", settings: {}, told: [] })
const watcher = () => ({ onDidChange: () => disposable, onDidCreate: () => disposable, onDidDelete: () => disposable, dispose() {} })
const disposable = { dispose() {} }
class Uri { constructor(p) { this.fsPath = p; this.path = p; this.scheme = "file" } static file(p) { return new Uri(p) } static parse(p) { return new Uri(p) } static joinPath(u, ...r) { return new Uri([u.fsPath, ...r].join("/")) } with() { return this } toString() { return this.fsPath } }
const told = (text) => { state.told.push(String(text)); return Promise.resolve(undefined) }
const plain = {
  workspace: {
    get workspaceFolders() { return state.workspace ? [{ uri: Uri.file(state.workspace), name: "w", index: 0 }] : [] },
    getWorkspaceFolder: () => ({ uri: Uri.file(state.workspace), name: "w", index: 0 }),
    createFileSystemWatcher: watcher, onDidChangeWorkspaceFolders: () => disposable, onDidChangeConfiguration: () => disposable,
    onDidSaveTextDocument: () => disposable, onDidChangeTextDocument: () => disposable,
    getConfiguration: (area) => ({ get: (key, otherwise) => { const v = state.settings[`${area}.${key}`]; return v === undefined ? otherwise : v }, inspect: () => undefined, update: () => Promise.resolve() }),
    fs: {}, textDocuments: [],
  },
  window: {
    showErrorMessage: told, showWarningMessage: told, showInformationMessage: told, visibleTextEditors: [], onDidChangeActiveTextEditor: () => disposable,
    tabGroups: { all: [], onDidChangeTabs: () => disposable, close() {} }, activeTextEditor: undefined, terminals: [],
    createOutputChannel: () => ({ appendLine() {}, show() {} }), createTextEditorDecorationType: () => ({ dispose() {} }),
    onDidCloseTerminal: () => disposable, onDidStartTerminalShellExecution: () => disposable, onDidEndTerminalShellExecution: () => disposable,
  },
  env: { get language() { return state.language }, get shell() { return state.shell }, appRoot: process.env.ROO_APP_ROOT ?? "/nonexistent", uriScheme: "vscode", machineId: "m", sessionId: "s", clipboard: { readText: async () => "", writeText: async () => {} } },
  languages: { getDiagnostics: () => [] }, Uri, Disposable: { from: () => disposable },
  RelativePattern: class { constructor(base, pattern) { this.base = base; this.pattern = pattern } },
  EventEmitter: class { constructor() { this.event = () => disposable } fire() {} dispose() {} },
  TabInputText: class {}, TabInputTextDiff: class {}, DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 }, ThemeIcon: class {}, ExtensionMode: { Production: 1 },
  CodeActionKind: { QuickFix: {}, RefactorRewrite: {} }, ViewColumn: {}, ConfigurationTarget: { Global: 1 }, commands: { executeCommand: async () => undefined },
  version: "1.100.0", extensions: { getExtension: () => undefined },
}
module.exports = plain
