// Chat platforms by type. The code of a platform is imported when its first reader starts.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatSource } from '#server/chat/port.ts'

/** A row: loads the platform. Add one per platform: `trovo: () => import('./trovo.ts').then(({ trovo }) => trovo)`. */
type Row = () => Promise<ChatSource>

export const chatPlatforms: Readonly<Partial<Record<PlatformType, Row>>> = {}
