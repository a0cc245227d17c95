// Services that payments use.
import type { Services } from '#server/core/context.ts'

export type PayServices = Pick<Services, 'db' | 'clock' | 'config' | 'log' | 'realtime'>
