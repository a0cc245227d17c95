import type { Channel } from '#contract/entities/channel.ts'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Who else may use a channel; on the page of that channel. */
export function SharingCard(_: Props) {
  return null
}
