// Runs the public GraphQL-over-HTTP audits against a running server: ADDRESS and KEY. Every MUST and every SHOULD has to pass.
import { auditServer } from 'graphql-http'

const { ADDRESS, KEY } = process.env
const results = await auditServer({
  url: `${ADDRESS}/graphql`,
  fetchFn: (url, init = {}) => fetch(url, { ...init, headers: { ...init.headers, authorization: `ApiKey ${KEY}` } }),
})

const counts = {}
let failed = false
for (const { id, name, status, reason } of results) {
  const level = name.split(' ', 1)[0]
  counts[level] ??= { ok: 0, of: 0 }
  counts[level].of++
  if (status === 'ok') {
    counts[level].ok++
    continue
  }
  failed ||= level === 'MUST' || level === 'SHOULD'
  console.log(`${status}: ${id} ${name}: ${reason}`)
}
console.log('GraphQL over HTTP:', Object.entries(counts).map(([level, { ok, of }]) => `${level} ${ok}/${of}`).join(', '))
if (failed) process.exit(1)
