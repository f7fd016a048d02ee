// Bundles ask.ts with the parts of a checkout of RooCodeInc/Roo-Code that make a prompt: node build.mjs CHECKOUT OUT
// What is not installed, and what a prompt does without, is a hollow module.
import { createRequire } from "node:module"
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
const [checkout, out] = process.argv.slice(2)
const here = dirname(fileURLToPath(import.meta.url))
const modules = join(checkout, "node_modules")
const require = createRequire(join(modules, "x.js"))
const { build } = require("esbuild")
const own = { "@roo-code/types": join(checkout, "packages/types/src/index.ts"), vscode: join(here, "vscode.cjs"), "@roo-code/telemetry": join(here, "telemetry.cjs") }
const standIns = [/^@modelcontextprotocol\/sdk\/client\//, /^chokidar$/, /^reconnecting-eventsource$/]
const hollow = {
  name: "hollow",
  setup(b) {
    b.onResolve({ filter: /.*/ }, (args) => {
      if (args.pluginData === "own" || args.kind === "entry-point" || args.path.startsWith(".") || args.path.startsWith("/")) return
      if (args.path.startsWith("@roo/")) return b.resolve("./" + args.path.slice(5), { resolveDir: join(checkout, "src"), kind: args.kind })
      if (["execa", "tiktoken", "openai", "puppeteer-core", "web-tree-sitter"].includes(args.path)) return { path: args.path, namespace: "hollow" }
      if (own[args.path]) return { path: own[args.path] }
      if (args.path === "@modelcontextprotocol/sdk/client/index.js") return { path: join(here, "mcp.cjs") }
      if (standIns.some((e) => e.test(args.path))) return { path: join(here, "mcp.cjs") }
      const name = args.path.replace(/^node:/, "")
      if (require("node:module").isBuiltin(name)) return { path: name, external: true }
      try { return { path: require.resolve(args.path) } } catch {}
      const parts = args.path.split("/"); const pkg = parts.slice(0, args.path.startsWith("@") ? 2 : 1).join("/")
      if (existsSync(join(modules, pkg))) {
        return b.resolve(args.path, { resolveDir: modules, kind: args.kind, pluginData: "own" })
      }
      return { path: args.path, namespace: "hollow" }
    })
    b.onLoad({ filter: /.*/, namespace: "hollow" }, () => ({ contents: HOLLOW, loader: "js" }))
  },
}
const HOLLOW = `const f = function () {}
const p = new Proxy(f, { get: (t, k) => (k === "__esModule" ? true : k === "prototype" ? {} : k === Symbol.toPrimitive ? () => "" : k === "then" ? undefined : p), apply: () => p, construct: () => p })
module.exports = p`
await build({
  entryPoints: [join(here, "ask.ts")], bundle: true, platform: "node", format: "cjs", target: "node20", outfile: out,
  plugins: [hollow], nodePaths: [modules], logLevel: "error",
  loader: { ".node": "empty", ".wasm": "empty", ".scm": "text", ".md": "text" }, logOverride: { "import-is-undefined": "silent" },
  tsconfigRaw: { compilerOptions: { target: "es2022" } },
})
