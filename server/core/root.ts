import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/** Folder of the project, for the sources and for `dist/service`. */
export const root: string = dirname(findPackageJSON(import.meta.url) ?? '.')
