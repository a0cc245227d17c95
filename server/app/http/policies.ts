// Policies that the operator supplies, without the library of texts, which loads when a page needs it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { policyNames } from '#contract/areas/help/policies.ts'
import { languages } from '#contract/core/codes.ts'

/** Returns the names of the policies in a content folder that exist in any language. @param folder empty: none */
export const suppliedPolicies = (folder: string | null): readonly string[] =>
  folder === null
    ? []
    : policyNames.filter((name) =>
        languages.some((language) => existsSync(join(folder, 'policies', language, `${name}.md`))),
      )
