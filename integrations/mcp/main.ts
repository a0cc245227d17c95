#!/usr/bin/env node
// `relaydeck-mcp`: MCP server over standard input and output, or over HTTP.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { languages } from '#contract/core/codes.ts'
import { createMcpServer } from './server.ts'

/** Returns why the settings are wrong; empty: they are not. */
function problemOf({
  RELAYDECK_URL: url = '',
  RELAYDECK_TOKEN: token = '',
  RELAYDECK_LANGUAGE: language,
  RELAYDECK_MCP_LISTEN: listen,
  RELAYDECK_MCP_URL: address = '',
}: NodeJS.ProcessEnv) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return `RELAYDECK_URL must be the address of the service, such as https://live.example.com, got "${url}".`
  if (listen !== undefined && !/^\S+:\d{1,5}$/.test(listen))
    return `RELAYDECK_MCP_LISTEN must be an address with a port, such as 127.0.0.1:8085, got "${listen}".`
  if (listen !== undefined && (!/^https?:\/\//.test(address) || !URL.canParse(address)))
    return `RELAYDECK_MCP_URL must be the address that clients use, such as https://live.example.com/mcp, got "${address}".`
  if (listen === undefined && token === '')
    return 'RELAYDECK_TOKEN must be an API token: Account → API tokens → New token.'
  if (language !== undefined && !languages.some((known) => known === language))
    return `RELAYDECK_LANGUAGE must be ${languages.join(', ')}, got "${language}".`
  return ''
}

const warn = (error: Error) => void process.stderr.write(`${error.message}\n`)

async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const { RELAYDECK_URL: url = '', RELAYDECK_TOKEN: token = '', RELAYDECK_LANGUAGE: language } = env
  const { RELAYDECK_MCP_LISTEN: listen, RELAYDECK_MCP_URL: address = '' } = env
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
  const common = { url, language: languages.find((known) => known === language) ?? 'en', version }
  if (listen === undefined) {
    // Standard output belongs to the protocol.
    serveStdio(() => createMcpServer({ ...common, token }), { onerror: warn })
    return
  }
  const { mcpOverHttp } = await import('./http.ts')
  const [host = '', port] = listen.split(/:(?=\d+$)/)
  const server = mcpOverHttp({ ...common, address, onError: warn })
  server.once('error', (error) => {
    warn(error)
    process.exitCode = 1
  })
  server.listen(Number(port), host.replace(/^\[(.*)\]$/, '$1'), () =>
    process.stdout.write(`MCP at ${address}, on ${host}:${(server.address() as AddressInfo).port}\n`),
  )
}

const problem = problemOf(process.env)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
} else await start(process.env)
