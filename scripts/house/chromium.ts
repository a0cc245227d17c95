// Finds a Chromium: an installed one, else Playwright's own download, else Debian's package. Tests prefer the headless
// shell, which uses a fifth less processor time; measurements need the browser that people use.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { aptInstall, isRoot } from './debian.ts'
import { bin, node, type RunOptions, say } from './step.ts'

/** `tests`: a headless shell or a browser. `figures`: a browser. */
export type Purpose = 'tests' | 'figures'

const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const places: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((root) => [
    join(process.env[root] ?? 'C:', 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(process.env[root] ?? 'C:', 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]),
}

/**
 * Features that Playwright disables. Chromium reads only the last list of a command line, so one with more features repeats
 * them; `scripts/chromium.test.ts` compares.
 */
const ofPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** Pages that Chromium renders for its address bar in every window: half of the processor time of a context. */
const ofAddressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Features that browser tests go without. */
export const featuresOff: readonly string[] = [...ofPlaywright, ...ofAddressBar]

/** Switches that reduce Chromium's output, and allow it to run as root in a container. */
export const chromiumFlags: readonly string[] = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns the path of an installed Chromium, or undefined. `CHROMIUM_PATH` comes first. */
export function findChromium(purpose: Purpose): string | undefined {
  const own = process.env['CHROMIUM_PATH']
  if (own) return own
  const onPath = [...(purpose === 'tests' ? shells : []), ...browsers].flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  )
  return [...onPath, ...(places[process.platform] ?? []), chromium.executablePath()].find(works)
}

/** Some systems have a script of this name that only offers an installation. Chrome on Windows has no --version. */
function works(path: string): boolean {
  if (!existsSync(path)) return false
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

/** Finds or installs a Chromium. Without one, prints the reason and ends the command. */
export async function ensureChromium(purpose: Purpose): Promise<string> {
  const found = findChromium(purpose) ?? (await install(purpose))
  if (!found) throw new Error('No Chromium: install Chrome or Chromium, or set CHROMIUM_PATH to one.')
  process.env['CHROMIUM_PATH'] = found
  // Without Chinese fonts, screenshots of the Chinese pages show boxes.
  const fonts = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' })
  if (process.platform === 'linux' && !fonts.stdout)
    await aptInstall('fonts-wqy-microhei', 'a font with Chinese characters')
  return found
}

async function install(purpose: Purpose): Promise<string | undefined> {
  say('Downloading Chromium for the browser tests (playwright install chromium)')
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  await node(bin('@playwright/test', 'playwright'), ['install', 'chromium'], { env, minutes: 10 })
  const found = findChromium(purpose)
  if (found) return found
  const names = purpose === 'tests' ? ['chromium-headless-shell', 'chromium'] : ['chromium']
  for (const name of names) if (await aptInstall(name, 'Chromium')) return findChromium(purpose)
  return undefined
}

/**
 * Runs browser tests. Node imports them itself: Playwright would compile each file, once for all runs and once for each.
 * @param args arguments of `playwright test`
 * @returns the exit code
 */
export const playwrightTest = (args: readonly string[], { env, ...options }: RunOptions = {}): Promise<number> =>
  node(bin('@playwright/test', 'playwright'), ['test', ...args], {
    ...options,
    env: { ...env, PW_DISABLE_TS_ESM: '1' },
  })
