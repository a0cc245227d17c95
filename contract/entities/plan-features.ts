// Features of restream plans. The catalogue lists exactly these, the operator edits them, and the service enforces them:
// `server/areas/tariffs/features.test.ts` has a refusal for each.
import type { featureNames } from './plan.ts'

interface Feature {
  /** Published name in the catalogue. */
  readonly name: (typeof featureNames)[number]
  /** Field of the plan that the operator edits. */
  readonly field: string
  readonly kind: 'whole' | 'flag'
  readonly unit?: 'kbps' | 'GB'
}

/** Features in the order of the pages. */
export const restreamFeatures = [
  { name: 'count_channel_max', field: 'channel_max', kind: 'whole' },
  { name: 'bitrate_max', field: 'bitrate_max', kind: 'whole', unit: 'kbps' },
  { name: 'create_projects', field: 'create_projects', kind: 'flag' },
  { name: 'chat', field: 'chat', kind: 'flag' },
  { name: 'background_chat', field: 'background_chat', kind: 'flag' },
  { name: 'video_storage', field: 'video_storage', kind: 'whole', unit: 'GB' },
  { name: 'change_subject', field: 'change_subject', kind: 'flag' },
  { name: 'support_custom_channel', field: 'support_custom_channel', kind: 'flag' },
] as const satisfies readonly Feature[]

export type RestreamFeature = (typeof restreamFeatures)[number]

/** Fields of features that a plan has or lacks. */
export type FlagFeature = Extract<RestreamFeature, { readonly kind: 'flag' }>['field']
export const flagFeatures: readonly FlagFeature[] = restreamFeatures.flatMap(({ field, kind }) =>
  kind === 'flag' ? [field] : [],
)
