// Finds or installs Firefox and WebKitGTK, in which a few journeys run beside Chromium.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall, canInstall } from './debian.ts'
import { say } from './step.ts'

/** Names of projects in playwright.config.ts. */
export const browserNames = ['firefox', 'webkit'] as const

export type BrowserName = (typeof browserNames)[number]

interface Wanted {
  /** Names of the program that a client starts. */
  readonly programs: readonly string[]
  /** Programs that it needs. */
  readonly others: readonly string[]
  /** Debian packages. */
  readonly packages: readonly string[]
}

const wanted: Readonly<Record<BrowserName, Wanted>> = {
  firefox: {
    programs: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    others: [],
    packages: ['firefox-esr'],
  },
  webkit: { programs: ['WebKitWebDriver'], others: ['Xvfb'], packages: ['webkit2gtk-driver', 'xvfb'] },
}

const onPath = (name: string): string | undefined =>
  [name, ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))].find(
    (path) => path.includes('/') && existsSync(path),
  )

/** Returns the path of the program of a browser, or undefined where a part of it is missing. */
export function findBrowser(name: BrowserName): string | undefined {
  const { programs, others } = wanted[name]
  if (!others.every((other) => onPath(other))) return undefined
  return programs.map(onPath).find((path) => path !== undefined)
}

/** True where a missing browser fails its tests: `CI` is set, and the system can install it. */
export const mustHaveBrowsers = (): boolean => Boolean(process.env['CI']) && canInstall

/** Installs missing browsers where possible; prints a line where it is not. */
export async function ensureBrowsers(): Promise<void> {
  for (const name of browserNames) {
    if (findBrowser(name)) continue
    for (const each of wanted[name].packages) await aptInstall(each, `${name}, which journeys run in`)
    if (!findBrowser(name)) say(`${name} is missing and could not be installed: its journeys are skipped`)
  }
}
