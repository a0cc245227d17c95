// Values of `node:http`. An import of a built-in module reads all its exports; `WebSocket` among them loads undici, which takes
// 2 MB and which an idle service does not need.
export const { request, STATUS_CODES } = process.getBuiltinModule('node:http')
