import { type ComponentProps, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dayMs, localeOf } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { type ChartWords, TimeChart } from '#src/ui/chart/time-chart.tsx'

interface Props extends Omit<ComponentProps<typeof TimeChart>, 'words' | 'load'> {
  /** Replaces the default formats where the axis is not a time of day. */
  readonly words?: Partial<ChartWords>
}

const load = async () => (await import('#src/ui/chart/plot.ts')).openPlot

/** A chart over time in the reader's language. */
export function Chart({ words, ...props }: Props) {
  const own = useChartWords()
  return <TimeChart {...props} load={load} words={words ? { ...own, ...words } : own} />
}

function useChartWords(): ChartWords {
  const { t } = useTranslation('common', { keyPrefix: 'chart' })
  const language = useLanguage()
  const { colon, comma } = usePunctuation()
  return useMemo(() => {
    const by = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(localeOf[language], options)
    const [seconds, minutes, days] = [
      by({ timeStyle: 'medium' }),
      by({ timeStyle: 'short' }),
      by({ dateStyle: 'short' }),
    ]
    const moment = by({ dateStyle: 'short', timeStyle: 'medium' })
    return {
      zoomIn: t('zoomIn'),
      zoomOut: t('zoomOut'),
      whole: t('whole'),
      none: t('none'),
      figures: (figures) => t('figures', figures),
      tick: (at, step) => (step < 60 ? seconds : step * 1000 < dayMs ? minutes : days).format(at * 1000),
      colon,
      comma,
      moment: (at) => (Date.now() - at * 1000 < dayMs ? seconds : moment).format(at * 1000),
    }
  }, [t, language, colon, comma])
}
