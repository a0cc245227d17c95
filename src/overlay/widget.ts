// A widget page: follows the broadcast with the token of the widget and draws it. It shows nothing when the service refuses the token.
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { WidgetKind } from '#contract/entities/widget-kinds.ts'
import type { WidgetSettings } from '#contract/entities/widget.ts'
import { readWidgetAddress } from '#src/lib/widget-address.ts'
import type { Service } from './service-address.ts'
import { loadTexts, type Texts } from './texts.ts'
import { followWidget } from './widget-feed.ts'
import { drawBadge } from './widgets/badge.ts'
import { drawCountdown } from './widgets/countdown.ts'
import { drawCounter } from './widgets/counter.ts'
import { drawHealth } from './widgets/health.ts'
import { sample } from './widgets/sample.ts'
import type { Draw } from './widgets/view.ts'

const draws: Readonly<Record<WidgetKind, Draw>> = {
  counter: drawCounter,
  badge: drawBadge,
  countdown: drawCountdown,
  health: drawHealth,
}

/**
 * Starts a widget in an element.
 * @param hash fragment of the address: id and token
 * @param follow client of the service
 * @returns a function that ends it
 */
export function startWidget(
  root: HTMLElement,
  kind: WidgetKind,
  hash: string,
  service: Service,
  follow = followWidget,
): () => void {
  const address = readWidgetAddress(hash)
  if (!address) return () => {}
  const page = createPage(root, kind)
  const stop = follow({
    ...service,
    ...address,
    listener: {
      settings: (settings) => page.show({ settings }),
      ...(kind === 'countdown' && { next: (next: string | null) => page.show({ next }) }),
      status: (status) => page.show({ status }),
      refused: () => page.show({ status: null, settings: null }),
    },
  })
  return () => {
    stop()
    page.end()
  }
}

/** Shows a widget with a sample broadcast, and the settings that the page around it sends. @returns a function that ends it */
export function startPreview(root: HTMLElement, kind: WidgetKind): () => void {
  const page = createPage(root, kind)
  page.show({ settings: {}, status: sample(Date.now()) })
  const take = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || origin !== location.origin) return
    const { type, payload } = Object(data) as { type?: unknown; payload?: unknown }
    if (type === 'relaydeck:widget') page.show({ settings: Object(payload) as WidgetSettings })
  }
  addEventListener('message', take)
  parent.postMessage({ type: 'relaydeck:widget:ready' }, location.origin)
  return () => {
    removeEventListener('message', take)
    page.end()
  }
}

/** Redraws an element at each change, and each second for its times. Settings null: nothing is shown. */
function createPage(root: HTMLElement, kind: WidgetKind) {
  const draw = draws[kind]
  let settings: WidgetSettings | null = null
  let status: BroadcastStatus | null = null
  let next: string | null = null
  let texts: Texts | null = null
  const redraw = () => {
    if (settings === null || texts === null) root.replaceChildren()
    else draw(root, { settings, status, next, texts, now: Date.now() })
  }
  const timer = setInterval(redraw, 1_000)
  const namespaces = kind === 'health' ? (['page', 'faults', 'live'] as const) : (['page'] as const)
  void loadTexts(namespaces, navigator.languages).then((loaded) => {
    texts = loaded
    redraw()
  })
  return {
    show: (change: {
      readonly settings?: WidgetSettings | null
      readonly status?: BroadcastStatus | null
      readonly next?: string | null
    }) => {
      if (change.settings !== undefined) ({ settings } = change)
      if (change.status !== undefined) ({ status } = change)
      if (change.next !== undefined) ({ next } = change)
      redraw()
    },
    end: () => {
      clearInterval(timer)
      root.replaceChildren()
    },
  }
}
