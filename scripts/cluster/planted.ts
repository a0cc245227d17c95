// Builds of the service with planted mistakes, which the cluster test must find. The sources stay as they are: the build of the
// planted programs replaces a text of a module.
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { bin, node } from '#scripts/house/step.ts'

/** A mistake that the cluster test must find. */
interface Planted {
  readonly module: string
  readonly known: string
  readonly instead: string
  /** Start of the violations by which it is found: the name of an invariant. */
  readonly invariant: string
}

export const planted: Readonly<Record<string, Planted>> = {
  'no fence': {
    module: 'server/domain/broadcasts/air-leases.ts',
    known: 'return owner?.holder === node && owner.epoch === epoch',
    instead: 'return true',
    invariant: 'each project has one owner',
  },
  'no lock': {
    module: 'server/domain/account/sessions-store.ts',
    known: '${rowLock(trx)}',
    instead: '',
    invariant: 'a session rotates once',
  },
  'liveness on the database': {
    module: 'server/app/http/probes.ts',
    known: "app.get('/healthz', () => ({ status: 'ok' }))",
    instead: "app.get('/healthz', () => ready().then(() => ({ status: 'ok' })))",
    invariant: 'a living replica says so',
  },
}

/** Environment variable with the names of the mistakes, for planted.config.ts. */
export const plantedNames = 'PLANTED_MISTAKES'

/** Folder of the programs with mistakes: inside the project, where they find their packages. */
export const plantedPrograms = '.cache/planted'

/** Builds programs with mistakes. @param names of `planted` @returns the exit code */
export const buildPlanted = (names: readonly string[]): Promise<number> =>
  node(
    bin('vite'),
    [
      'build',
      '--outDir',
      resolve(plantedPrograms),
      '--logLevel',
      'error',
      '--config',
      'scripts/cluster/planted.config.ts',
    ],
    {
      env: { [plantedNames]: names.join(',') },
      minutes: 10,
    },
  )

/** Plants mistakes while a module is read. The build fails when a module does not have the text any more. */
export function plant(names: readonly string[]): Plugin {
  const left = new Set(names)
  return {
    name: 'planted-mistakes',
    enforce: 'pre',
    transform(code, id) {
      let changed = code
      for (const name of names) {
        const { module, known, instead } = planted[name] ?? { module: name, known: name, instead: '' }
        if (!id.endsWith(module) || !changed.includes(known)) continue
        changed = changed.replace(known, () => instead)
        left.delete(name)
      }
      return changed === code ? null : { code: changed, map: null }
    },
    buildEnd(error) {
      if (error === undefined && left.size > 0) this.error(`Not planted: ${[...left].join(', ')}`)
    },
  }
}
