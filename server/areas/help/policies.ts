// Policies of the operator over HTTP.
import { policies, policyNames } from '#contract/areas/help/policies.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { alternativesOf, languageOf, loadContent } from './present.ts'

export const policyRoutes = implement(policies, {
  async get({ file_name }, ctx) {
    const { library, textIn, htmlOf } = await loadContent(ctx)
    const text = textIn(library.texts.policies.get(file_name), ctx.language)
    if (!text) throw new NotFoundError('PageNotFound_policy')
    return {
      success: true,
      result: {
        file_name,
        ...languageOf(text.language),
        title: text.title,
        text: htmlOf(text.blocks(), ctx.origin),
        date_update: text.changed.toISOString(),
        alt_languages: alternativesOf(library, text),
        blocks: [...text.blocks()],
      },
    }
  },

  async structure(_, ctx) {
    const { library } = await loadContent(ctx)
    return { results: policyNames.filter((name) => library.texts.policies.has(name)).map((results) => ({ results })) }
  },
})
