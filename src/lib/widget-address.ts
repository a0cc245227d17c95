// Addresses of widget pages and of the dock. Id and token are in the fragment, which reaches no server and no log.
import type { WidgetKind } from '#contract/entities/widget-kinds.ts'

/** Id and token of a widget. */
export interface WidgetAddress {
  readonly templateId: string
  readonly token: string
}

/** Page of a kind; it is no page of the dashboard. */
export const widgetPath = (kind: WidgetKind): string => `/overlay/${kind}`

/** Page of a kind with a sample broadcast, for the settings beside it. */
export const previewPath = (kind: WidgetKind): string => `${widgetPath(kind)}#preview`

/** Writes the address of a widget, from the origin on. */
export const writeWidgetAddress = (kind: WidgetKind, { templateId, token }: WidgetAddress): string =>
  `${widgetPath(kind)}#${new URLSearchParams({ template_id: templateId, token }).toString()}`

/** Reads the fragment of a widget page; null when it names no widget. */
export function readWidgetAddress(hash: string): WidgetAddress | null {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const [templateId, token] = [values.get('template_id') ?? '', values.get('token') ?? '']
  return templateId === '' || token === '' ? null : { templateId, token }
}

/** Project and API token of a dock. */
export interface DockAddress {
  readonly projectId: number
  readonly token: string
}

/** Writes the address of the dock, from the origin on. */
export const writeDockAddress = ({ projectId, token }: DockAddress): string =>
  `/overlay/dock#${new URLSearchParams({ project: String(projectId), token }).toString()}`

/** Reads the fragment of the dock; null when it names no project or token. */
export function readDockAddress(hash: string): DockAddress | null {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const [projectId, token] = [Number(values.get('project')), values.get('token') ?? '']
  return Number.isSafeInteger(projectId) && projectId > 0 && token !== '' ? { projectId, token } : null
}
