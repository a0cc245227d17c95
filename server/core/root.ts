import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/** The project's folder, whether this runs from the sources or from `dist/service`. */
export const root: string = dirname(findPackageJSON(import.meta.url) ?? '.')
