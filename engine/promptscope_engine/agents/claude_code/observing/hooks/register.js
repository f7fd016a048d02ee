// The observing mod of `promptscope learn --mods`: what Claude Code asks for, by its own names, and what the mods further in answer.
// It answers every event with what next() answered. Texts are written as [length, digest] unless OBSERVE_TEXT is 1.
// Event names are literals because Claude Code refuses a module whose names it cannot read.
const out = { format: 'promptscope-observe/1', sections: [], compose: [], context: [], attachments: [], tools: [], agents: [], skills: [], submits: [], steps: [], trace: [], errors: [] }
let path, isText

const digest = (text) => {
  let a = 0x811c9dc5, b = 0x1b873593
  for (let i = 0; i < text.length; i++) { a = Math.imul(a ^ text.charCodeAt(i), 0x01000193); b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b) }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
const said = (text) => text == null ? null : isText ? String(text) : [String(text).length, digest(String(text))]
const TEXTS = new Set(['text', 'content', 'description', 'prompt', 'whenToUse'])
const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (key, v) => typeof v === 'string' && (TEXTS.has(key) || (v.length > 60 && key !== 'path')) ? said(v) : typeof v === 'function' ? undefined : v))

const links = (event, name, next) => {
  let seen
  try { seen = next.trace } catch (error) { out.errors.push([event, String(error)]); return }
  for (const link of seen ?? []) {
    const before = JSON.stringify(link.received ?? null), after = JSON.stringify(link.returned ?? null)
    out.trace.push({ event, name, plugin: link.plugin, tier: link.tier, index: link.index, outcome: link.outcome, ms: Math.round((link.ms ?? 0) * 10) / 10, isChanged: before !== after, received: plain(link.received), returned: plain(link.returned) })
  }
}
const watch = async (event, e, next, note) => {
  const result = await next(e)
  try { note(e, result); links(event, e.name ?? e.tool ?? e.type ?? e.skill ?? e.agent, next) } catch (error) { out.errors.push([event, String(error)]) }
  return result
}
const save = async ($) => {
  try {
    path ??= await $.env.get('OBSERVE_OUT')
    if (path) await $.fs.write(path, JSON.stringify(out))
  } catch (error) { out.errors.push(['save', String(error)]) }
}

export const register = (on) => {
  on('session.start', async ($, e, next) => {
    isText = (await $.env.get('OBSERVE_TEXT').catch(() => undefined)) === '1'
    out.session = plain({ surface: e.surface, isInteractive: e.isInteractive, cwd: e.cwd })
    return next(e)
  })
  on('prompt.section', async ($, e, next) => watch('prompt.section', e, next, (e, r) => out.sections.push({ name: e.name, text: said(r.text), agentId: e.agentId, ...plain({ model: e.model }) })))
  on('prompt.compose', async ($, e, next) => watch('prompt.compose', e, next, (e, r) => out.compose.push({ asked: plain({ ...e, sections: undefined }), sections: (r.sections ?? []).map((s) => ({ id: s.id, scope: s.scope, text: said(s.text) })) })))
  on('prompt.context', async ($, e, next) => watch('prompt.context', e, next, (e, r) => out.context.push({ asked: Object.keys(e), blocks: (r.blocks ?? []).map((b) => ({ name: b.name, text: said(b.text) })), files: (r.instructionFiles ?? []).map((f) => ({ path: f.path, kind: f.kind, parent: f.parent, text: said(f.content) })) })))
  on('prompt.attachment', async ($, e, next) => watch('prompt.attachment', e, next, (e, r) => out.attachments.push({ type: e.type, text: said(r.text), agentId: e.agentId, detail: Object.keys(e.detail ?? {}) })))
  on('tool.describe', async ($, e, next) => watch('tool.describe', e, next, (e, r) => out.tools.push({ name: e.tool, text: said(r.description), isDeferred: r.isDeferred, provider: plain(e.provider) })))
  on('agent.offer', async ($, e, next) => watch('agent.offer', e, next, (e, r) => out.agents.push({ ...plain({ ...e }), isOffered: r.isOffered })))
  on('skill.prompt', async ($, e, next) => watch('skill.prompt', e, next, (e, r) => out.skills.push({ ...plain({ ...e, text: undefined }), text: said(r.text) })))
  on('prompt.submit', async ($, e, next) => watch('prompt.submit', e, next, (e) => out.submits.push({ text: said(e.text), context: (e.context ?? []).map(said), origin: plain(e.origin) }))).catch(async ($, e, next) => next(e))
  on('turn.step', async function* ($, e, next) {
    out.steps.push({ keys: Object.keys(e), model: e.model, effort: e.effort, agentId: e.agentId })
    await save($)
    const result = yield* next(e)
    await save($)
    return result
  })
  on('session.end', async ($, e, next) => { await save($); return next(e) })
}
