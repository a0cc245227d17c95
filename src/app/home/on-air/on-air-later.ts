// What comes after the first view of a running broadcast, in one file.
export { BitrateNote } from './bitrate-note.tsx'
export { ChannelSwitch } from './channel-switch.tsx'
export { EventFeed } from '#src/app/home/feed/event-feed.tsx'
export { LeftOut } from './left-out.tsx'
export { LivePicture } from './live-picture.tsx'
export { PlanEndNote } from './plan-end-note.tsx'
