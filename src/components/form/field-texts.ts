// Errors of the contract and refusals of the service, as texts by field.
import { useTranslation } from 'react-i18next'
import type { Schema } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { FieldTexts, NameOf } from './use-form.ts'

/** Relation between the fields of a form and the input of its operation. */
export interface FieldMap<V> {
  /** Fields by wire names, where the names differ. */
  readonly wireNames?: Readonly<Record<string, NameOf<V>>>
  /** Fields by names of refusals, for example `{ PasswordWrong: 'old_password' }`. */
  readonly refusals?: Readonly<Record<string, NameOf<V>>>
  /** Texts of fields that violate the contract. Default: a text about the limit, or the service's own. */
  readonly messages?: { readonly [K in keyof V]?: string }
  /** Rules beside the contract. Their texts take precedence. */
  readonly rules?: (values: V) => FieldTexts<V>
}

interface Refusal<V> {
  readonly texts: FieldTexts<V>
  /** The refusal has a reason that no field of the form shows. */
  readonly isWhole: boolean
}

/**
 * Returns functions that convert errors to texts by field.
 * @param area namespace with `refusal` texts
 */
export function useFieldTexts<V extends object>(area: string | undefined, map: FieldMap<V>) {
  const { t } = useTranslation('parts', { keyPrefix: 'form' })
  const failureText = useFailureText(area)
  const { wireNames = {}, refusals = {}, messages = {}, rules } = map
  const textOfField: Readonly<Record<string, string | undefined>> = messages
  const nameOf = (wireName: string): string => wireNames[wireName] ?? wireName

  /** Texts of the values that the contract or a rule of the form refuses. */
  const invalid = (values: V, schema: Schema, input: unknown): FieldTexts<V> => {
    const texts: Record<string, string | undefined> = { ...rules?.(values) }
    for (const issue of schema.safeParse(input).error?.issues ?? []) {
      const name = nameOf(String(issue.path[0] ?? ''))
      if (name in values) texts[name] ??= textOfField[name] ?? textOf(issue)
    }
    return texts as FieldTexts<V>
  }

  /** Maps a refusal of the service to the fields that the page shows. */
  const refused = (error: unknown, isShown: (name: string) => boolean): Refusal<V> => {
    const { name: refusal, fields, data } = toApiError(error)
    // Some refusals name the field themselves.
    const named = refusals[refusal] ?? (typeof data['field'] === 'string' ? nameOf(data['field']) : undefined)
    if (named !== undefined && isShown(named))
      return { texts: { [named]: failureText(error) } as FieldTexts<V>, isWhole: false }
    const known = Object.entries(fields).filter(([wireName]) => isShown(nameOf(wireName)))
    const texts = known.map(([wireName, said]) => {
      const name = nameOf(wireName)
      return [name, textOfField[name] ?? said.join(' ')]
    })
    return {
      texts: Object.fromEntries(texts) as FieldTexts<V>,
      isWhole: known.length === 0 || known.length < Object.keys(fields).length,
    }
  }

  function textOf(issue: Issue): string {
    if (issue.code === 'too_small') {
      if (issue.origin !== 'string') return t('tooSmall', { min: Number(issue.minimum) })
      return Number(issue.minimum) <= 1 ? t('required') : t('tooShort', { min: Number(issue.minimum) })
    }
    if (issue.code === 'too_big')
      return t(issue.origin === 'string' ? 'tooLong' : 'tooBig', { max: Number(issue.maximum) })
    return t('invalid')
  }

  return { invalid, refused }
}

type Issue = NonNullable<ReturnType<Schema['safeParse']>['error']>['issues'][number]
