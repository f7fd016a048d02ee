class None { constructor() { } async start() { } async close() { } }
class Client { constructor() {} async connect() { throw new Error("not started here") } async close() {} getInstructions() { return undefined } async request() { return {} } }
module.exports = { Client, StdioClientTransport: None, SSEClientTransport: None, StreamableHTTPClientTransport: None, getDefaultEnvironment: () => ({}), default: None, watch: () => ({ on() { return this }, close() {} }), __esModule: true }
module.exports.default.watch = module.exports.watch
