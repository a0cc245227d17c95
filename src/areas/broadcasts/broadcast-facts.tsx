import { useTranslation } from 'react-i18next'
import type { Broadcast } from '#contract/entities/broadcast.ts'
import { ownNode } from '#contract/core/codes.ts'
import { Bitrate } from '#src/components/bitrate.tsx'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { Elapsed } from './elapsed.tsx'

/** Facts of a broadcast: times, bitrate, video, encoder. */
export function BroadcastFacts({ one }: { readonly one: Broadcast }) {
  const { t } = useTranslation(['broadcasts', 'common'])
  const language = useLanguage()
  const { created_at: from, finish_at: to, bitrate, width, height, fps } = one
  const orNone = (value: string | null) => value || '–'
  return (
    <FactList>
      <Fact name={t('facts.from')}>
        <DateStamp iso={from} />
      </Fact>
      <Fact name={t('facts.to')} isQuiet={to === null}>
        {to === null ? t('facts.running') : <DateStamp iso={to} />}
      </Fact>
      <Fact name={t('facts.duration')}>
        {to === null ? <Elapsed since={from} /> : formatDuration(Date.parse(to) - Date.parse(from))}
      </Fact>
      <Fact name={t('facts.reconnects')}>{formatNumber(one.reconnects, language)}</Fact>
      <Fact name={t('facts.bitrate')}>{bitrate === null ? '–' : <Bitrate kbps={bitrate} />}</Fact>
      <Fact name={t('facts.video')}>
        {[
          width && height && `${width}×${height}`,
          fps && t('facts.fps', { fps: formatNumber(Math.round(fps), language) }),
        ]
          .filter(Boolean)
          .join(', ') || '–'}
      </Fact>
      {one.viewers > 0 && <Fact name={t('facts.viewers')}>{formatNumber(one.viewers, language)}</Fact>}
      <Fact name={t('facts.encoder')}>{orNone(one.encoder)}</Fact>
      <Fact name={t('facts.address')}>{orNone(one.ip)}</Fact>
      <Fact name={t('facts.server')}>{one.location === ownNode ? t('common:ownServer') : orNone(one.location)}</Fact>
    </FactList>
  )
}
