// Pull key as listed for a project.
import type { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import type { Output } from '#contract/core/operation.ts'

export type PullKey = Output<typeof pullKeys.list>['results'][number]
