// The shipped HAProxy file for tests: without TLS, and with the addresses of a test.
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'

/** Returns the shipped file with other addresses. @param bind `host:port` of the proxy @param replicas `host:port` of both */
export function haproxyFile(bind: string, [a, b]: readonly [string, string]): string {
  const config = readFileSync('deploy/proxy/haproxy.cfg', 'utf8')
    .replace('bind :80\n', `bind ${bind}\n`)
    .replace(/bind :443 .*\n/, '')
    .replace(/http-request redirect .*\n/, '')
    .replaceAll('10.0.0.11:8080', a)
    .replaceAll('10.0.0.12:8080', b)
  assert.doesNotMatch(config, /10\.0\.0|:443/)
  return config
}
