#!/usr/bin/env node
// `relaydeck-mcp`: MCP server over standard input and output.
import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { languages } from '#contract/core/codes.ts'
import { createMcpServer } from './server.ts'

/** Returns why the settings are wrong; empty: they are not. */
function problemOf({
  RELAYDECK_URL: url = '',
  RELAYDECK_TOKEN: token = '',
  RELAYDECK_LANGUAGE: language,
}: NodeJS.ProcessEnv) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return `RELAYDECK_URL must be the address of the service, such as https://live.example.com, got "${url}".`
  if (token === '') return 'RELAYDECK_TOKEN must be an API token: Account → API tokens → New token.'
  if (language !== undefined && !languages.some((known) => known === language))
    return `RELAYDECK_LANGUAGE must be ${languages.join(', ')}, got "${language}".`
  return ''
}

const problem = problemOf(process.env)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
} else {
  const { RELAYDECK_URL: url = '', RELAYDECK_TOKEN: token = '', RELAYDECK_LANGUAGE: language } = process.env
  const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
  serveStdio(
    () =>
      createMcpServer({
        url,
        token,
        language: languages.find((known) => known === language) ?? 'en',
        version: manifest.version,
      }),
    // Standard output belongs to the protocol.
    { onerror: (error) => process.stderr.write(`${error.message}\n`) },
  )
}
