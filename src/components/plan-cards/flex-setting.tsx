import { type CSSProperties, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './catalogue.module.css'
import { type Range, type Setting, snap } from './choice.ts'

interface Props {
  readonly setting: Setting | 'size'
  readonly range: Range
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Setting of a flexible plan: slider and number field, both in whole steps. */
export function FlexSetting({ setting, range, value, onChange }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const hintId = useId()
  // Applies a typed number once it is complete: 2 on the way to 25 does not select the minimum.
  const [typed, setTyped] = useState<string | null>(null)
  const [refused, setRefused] = useState<number | null>(null)
  const finish = () => {
    const number = Number(typed)
    if (typed !== null && typed !== '' && Number.isFinite(number)) {
      const nearest = snap(number, range)
      setRefused(nearest === number ? null : number)
      onChange(nearest)
    }
    setTyped(null)
  }
  const label = t(`flex.${setting}`)
  const figure = (of: number) => formatNumber(of, language)
  return (
    <span className={styles.flex}>
      <span className={styles.flexFigure}>
        <input
          type="number"
          inputMode="numeric"
          aria-label={label}
          aria-describedby={hintId}
          {...range}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={finish}
          onKeyDown={(event) => event.key === 'Enter' && finish()}
        />
        <span id={hintId} className={styles.aside}>
          {t(`flex.${setting}Range`, { min: figure(range.min), max: figure(range.max), step: figure(range.step) })}
        </span>
      </span>
      <span role="status" className={styles.moved}>
        {refused !== null && t('flex.moved', { typed: figure(refused), value: figure(value) })}
      </span>
      <input
        type="range"
        className={styles.slider}
        aria-label={t(`flex.${setting}Slider`)}
        {...range}
        value={value}
        style={{ '--at': `${((value - range.min) / (range.max - range.min)) * 100}%` } as CSSProperties}
        onChange={(event) => {
          setRefused(null)
          onChange(Number(event.target.value))
        }}
      />
    </span>
  )
}
