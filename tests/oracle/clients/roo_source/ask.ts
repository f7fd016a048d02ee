// Sends what Roo Code would send first, for the folder and settings given as JSON: node OUT ADDRESS JSON
import * as path from "path"
import * as vscode from "vscode"
import "@roo/utils/path"
import { SYSTEM_PROMPT } from "@roo/core/prompts/system"
import { CustomModesManager } from "@roo/core/config/CustomModesManager"
import { RooIgnoreController } from "@roo/core/ignore/RooIgnoreController"
import { McpHub } from "@roo/services/mcp/McpHub"
import { processUserContentMentions } from "@roo/core/mentions/processUserContentMentions"
import { getEnvironmentDetails } from "@roo/core/environment/getEnvironmentDetails"
import { MultiSearchReplaceDiffStrategy } from "@roo/core/diff/strategies/multi-search-replace"
import { MultiFileSearchReplaceDiffStrategy } from "@roo/core/diff/strategies/multi-file-search-replace"
import { getMessagesSinceLastSummary } from "@roo/core/condense"
import { readApiMessages } from "@roo/core/task-persistence/apiMessages"
import { attemptCompletionTool } from "@roo/core/tools/attemptCompletionTool"
import { McpServerManager } from "@roo/services/mcp/McpServerManager"

async function main() {
  const asked = JSON.parse(process.argv[3])
  const roo = (globalThis as any).__roo
  roo.workspace = asked.cwd
  roo.language = asked.editorLanguage ?? "en"
  roo.settings = asked.vscode ?? {}
  const cwd = asked.cwd
  const shown = (paths?: string[]) => (paths ?? []).map((each) => vscode.Uri.file(path.resolve(cwd, each)))
  const { window, TabInputText } = vscode as any
  window.visibleTextEditors = shown(asked.visibleFiles).map((uri) => ({ document: { uri } }))
  window.tabGroups.all = [{ tabs: shown(asked.openTabs).map((uri) => ({ input: Object.assign(new TabInputText(), { uri }) })) }]
  const values: Record<string, unknown> = {}
  const context: any = {
    globalStorageUri: { fsPath: asked.storage }, extension: { packageJSON: { version: "3.28.16" } }, subscriptions: [], extensionPath: "/nonexistent",
    globalState: { get: (k: string) => values[k], update: async (k: string, v: unknown) => { values[k] = v } }, workspaceState: { get() {}, update() {} },
    secrets: { get: async () => undefined },
  }
  const state: any = { ...asked.state }
  const provider: any = {
    context, cwd, getState: async () => state, postMessageToWebview: async () => {}, getMcpHub: () => hub, deref: () => provider,
    ensureMcpServersDirectoryExists: async () => "/nonexistent", ensureSettingsDirectoryExists: async () => path.join(asked.storage, "settings"), log() {},
  }
  let hub: any
  const manager = new CustomModesManager(context, async () => {})
  const modes = await manager.getCustomModes()
  values.customModes = modes
  values.customModePrompts = state.customModePrompts
  state.customModes = modes
  hub = state.mcpEnabled ?? true ? new McpHub(provider) : undefined
  const ignore = new RooIgnoreController(cwd)
  await ignore.initialize()
  await new Promise((done) => setTimeout(done, asked.wait ?? 150))
  const strategy = state.experiments?.multiFileApplyDiff ? new MultiFileSearchReplaceDiffStrategy(1.0) : new MultiSearchReplaceDiffStrategy(1.0)
  const config = (k: string) => roo.settings[`roo-cline.${k}`]
  const system = await SYSTEM_PROMPT(
    context, cwd, state.supportsComputerUse ?? false, hub, strategy as any, state.browserViewportSize ?? "900x600", state.mode ?? undefined,
    state.customModePrompts, modes, state.customInstructions, state.diffEnabled ?? true, state.experiments, state.enableMcpServerCreation,
    state.language ?? undefined, ignore.getInstructions(), (state.maxReadFileLine ?? -1) !== -1,
    {
      maxConcurrentFileReads: state.maxConcurrentFileReads ?? 5, todoListEnabled: state.apiConfiguration?.todoListEnabled ?? true,
      useAgentRules: config("useAgentRules") ?? true, newTaskRequireTodos: config("newTaskRequireTodos") ?? false,
    },
    undefined, asked.model,
  )
  const task: any = {
    cwd, taskId: "t", providerRef: { deref: () => provider }, rooIgnoreController: ignore, clineMessages: [], todoList: undefined,
    fileContextTracker: { getAndClearRecentlyModifiedFiles: () => [], trackFileContext: async () => {} }, api: { getModel: () => ({ id: asked.model, info: {} }) },
  }
  const userContent: any[] = asked.laterTurn ? await feedback(asked.task) : [{ type: "text", text: `<task>\n${asked.task}\n</task>` }]
  const content = await processUserContentMentions({
    userContent, cwd, urlContentFetcher: {} as any, fileContextTracker: task.fileContextTracker,
    rooIgnoreController: ignore, showRooIgnoredFiles: state.showRooIgnoredFiles ?? false, maxReadFileLine: state.maxReadFileLine,
  })
  const details = await getEnvironmentDetails(task, false)
  const earlier = getMessagesSinceLastSummary(await readApiMessages({ taskId: task.taskId, globalStoragePath: asked.storage }))
  const history = earlier.map(({ role, content }) => ({ role, content }))
  const body = { model: asked.model, system, messages: [...history, { role: "user", content: [...content, { type: "text", text: details }] }], tools: [] }
  await fetch(process.argv[2], { method: "POST", body: JSON.stringify(body) })
  console.log(roo.told.join("\n"))
  process.exit(0)
}

// What becomes of words that answer a result.
async function feedback(text: string) {
  const userMessageContent: any[] = []
  const task: any = { clineMessages: [], userMessageContent, say: async () => {}, ask: async () => ({ response: "messageResponse", text }), emit() {}, getTokenUsage() {} }
  const nothing: any = async () => true
  const block: any = { type: "tool_use", name: "attempt_completion", params: { result: "done" }, partial: false }
  const failed: any = async (what: string, error: Error) => { throw error }
  await attemptCompletionTool(task, block, nothing, failed, nothing, nothing, () => "[attempt_completion]", nothing)
  return userMessageContent
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
