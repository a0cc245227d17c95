// Readable titles of API groups.

/** Titles whose words the API puts in another order, or whose abbreviations stay in capitals. */
const titles: Readonly<Record<string, string>> = {
  Centrifuge: 'Realtime tokens',
  MoneyFlow: 'Money flow',
  NotifyHistory: 'Notification history',
  NotifyUser: 'Notification settings',
  PlanRestream: 'Restream plan',
  PlanStorage: 'Storage plan',
  PlanTranscoding: 'Transcoding plan',
  PlanWebinar: 'Webinar plan',
  RtmpServer: 'RTMP servers',
  Socials: 'Social login',
}

/**
 * Returns the title of a group in sentence case.
 * @param name name of the group in the API
 * @example groupTitle('ProjectHistory') // 'Project history'
 */
export function groupTitle(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return titles[name] ?? words.charAt(0) + words.slice(1).toLowerCase()
}
