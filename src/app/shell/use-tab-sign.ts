import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { type Air, airStore } from '#src/stores/air.ts'
import { unreadStore } from '#src/stores/unread.ts'

const colours: Readonly<Record<Exclude<Air, 'off'>, string>> = {
  on: 'cf2534',
  lost: 'e0a030',
  paused: 'e0a030',
  trouble: 'e0a030',
}

/**
 * Sets the icon of the browser tab to the on-air state.
 * @returns the prefix of the title: the number of unread important notifications, and the on-air state
 */
export function useTabSign(): string {
  const { t } = useTranslation()
  const air = useStore(airStore, ({ air: now }) => now) ?? 'off'
  const important = useStore(unreadStore, ({ important: count }) => count)
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || air === 'off') return undefined
    const plain = link.href
    const dot = `<circle cx='47' cy='47' r='15' fill='#${colours[air]}' stroke='#fff' stroke-width='5'/></svg>`
    link.href = plain.replace('%3C/svg%3E', encodeURIComponent(dot))
    return () => {
      link.href = plain
    }
  }, [air])
  const count = important > 0 ? `(${important}) ` : ''
  return count + (air === 'off' ? '' : `● ${t(`onAir.${air}`)} · `)
}
