// The peer of the load figures: a bare Fastify handler that answers the same bytes, without rights, rules or a database.
// Started as a process of its own; says its address on standard output.
import Fastify from 'fastify'

const app = Fastify()
const answer: unknown = JSON.parse(process.argv[2] ?? '{}')
app.get('/bare', () => answer)
app.post('/bare', () => answer)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
