// A pull key as the list of a project returns it.
import type { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import type { Output } from '#contract/core/operation.ts'

export type PullKey = Output<typeof pullKeys.list>['results'][number]
