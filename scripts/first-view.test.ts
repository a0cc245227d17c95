// Modules of the first view: an installation without billing loads no page of billing, plans or administration.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Imports and re-exports by value; dynamic imports load later. */
const statement = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]/gm

function resolved(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(file), specifier) : null
}

/** Returns everything that some modules load with themselves. */
function loadedBy(entries: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const visit = (file: string) => {
    if (loaded.has(file) || !existsSync(file)) return
    loaded.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(statement)) {
      const next = resolved(file, specifier)
      if (next !== null) visit(next)
    }
  }
  for (const entry of entries) visit(entry)
  return loaded
}

const home = [
  'src/app/main.tsx',
  'src/app/shell/shell.tsx',
  'src/app/home/home-page.tsx',
  'src/app/home/off-air/off-air.tsx',
  'src/app/home/on-air/on-air-part.tsx',
]
const money = /^(src|contract)\/areas\/(billing|operator|tariffs)\/|^src\/components\/(use-)?pay/

test('the first view of Home loads the routes of money, and nothing else of it', () => {
  expect(home.filter((file) => !existsSync(file))).toEqual([])
  const loaded = loadedBy(home)
  expect(loaded.size).toBeGreaterThan(200)
  expect([...loaded].filter((file) => money.test(file)).toSorted()).toEqual([
    // The running plan, its limits and its renewal, which Home shows.
    'contract/areas/billing/renewals.ts',
    'contract/areas/tariffs/plan-line.ts',
    'contract/areas/tariffs/restream.ts',
    'contract/areas/tariffs/storage.ts',
    'contract/areas/tariffs/transcoding.ts',
    'src/areas/billing/billing.routes.tsx',
    'src/areas/billing/tabs.ts',
    'src/areas/operator/operator.routes.tsx',
    'src/areas/operator/tabs.ts',
    'src/areas/tariffs/tariffs.routes.tsx',
  ])
})

test('finds the pages of money where they are loaded', () => {
  const loaded = [...loadedBy(['src/areas/billing/billing-page.tsx', 'src/areas/billing/balance-part.tsx'])]
  expect(loaded.filter((file) => money.test(file)).length).toBeGreaterThan(8)
})
