import type { CSSProperties } from 'react'
import styles from './catalogue.module.css'
import quote from './quote.module.css'

const plans = ['free', 'start', 'pro', 'business', 'flexible']
const rows = 13

/** Placeholder of the catalogue with its usual number of columns and rows. */
export function CatalogueSkeleton() {
  const style = { '--rows': rows, '--plans': plans.length } as CSSProperties
  return (
    <div aria-hidden>
      <div className={styles.plans} style={style} data-waiting>
        {plans.map((plan) => (
          <div key={plan} className={styles.plan} />
        ))}
      </div>
      <div className={quote.panel} />
    </div>
  )
}
