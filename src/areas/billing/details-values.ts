// Values of the billing details form, and the input of the operation that saves them.
import type { PaySetting, paySettings } from '#contract/areas/billing/pay-settings.ts'
import type { Input } from '#contract/core/operation.ts'
import { russia } from '#contract/entities/countries.ts'
import type { Currency } from '#contract/entities/project.ts'

/** Fields that are required outside Russia. */
export const addressFields = ['street', 'house_number', 'zip', 'city', 'state'] as const

/** Values of the form. The country is the numeric code as text; empty: not chosen. */
export type DetailsValues = Readonly<
  Record<'countrie_id' | 'email' | 'company_name' | 'tax_id' | 'description' | (typeof addressFields)[number], string>
>

const texts = ['email', 'company_name', 'tax_id', 'description', ...addressFields] as const

/** Values of saved details; without them only Russia is preselected, for a project in roubles. */
export function valuesOf(saved: PaySetting | null, currency: Currency): DetailsValues {
  const country = saved?.countrie_id ?? (currency === 'rub' ? russia : '')
  const entries = texts.map((name) => [name, saved?.[name] ?? ''] as const)
  return { ...(Object.fromEntries(entries) as DetailsValues), countrie_id: String(country) }
}

/** Input of the operation; empty fields are left out, which clears them. */
export function inputOf(
  projectId: number,
  saved: PaySetting | null,
  values: DetailsValues,
): Input<typeof paySettings.set> {
  const { countrie_id, email, ...rest } = values
  const filled = Object.entries(rest).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))
  return {
    project_id: projectId,
    countrie_id: Number(countrie_id),
    email: email.trim(),
    pay_system_id: saved?.pay_system_id ?? 0,
    organization_id: saved?.organization_id ?? undefined,
    ...Object.fromEntries(filled),
  }
}

/** Returns whether the details require a postal address. */
export const needsAddress = ({ countrie_id }: Pick<DetailsValues, 'countrie_id'>): boolean =>
  Number(countrie_id) !== russia

/** Returns the required address fields that are empty. */
export const missingAddress = (values: DetailsValues): readonly (typeof addressFields)[number][] =>
  needsAddress(values) ? addressFields.filter((field) => values[field].trim() === '') : []
