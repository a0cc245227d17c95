import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { papers } from '#contract/areas/billing/papers.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import styles from './billing.module.css'

interface Props {
  readonly projectId: number
  readonly paymentId: number
}

/** Interval at which the tickets of the links are renewed, ms. */
const renewMs = 240_000

/** Links to the receipts, invoices and credit notes of a payment. */
export function PaymentPapers({ projectId, paymentId }: Props) {
  const { t } = useTranslation('pay')
  const list = useQuery({
    ...q(papers.list, { project_id: projectId, payment_id: paymentId }),
    staleTime: 0,
    refetchInterval: renewMs,
  })
  const addressOf = (url: string) => new URL(url, apiRuntime().baseUrl || location.origin).href
  return (
    <QueryPart query={list} failed={t('papers.failed')} skeleton={null}>
      {({ results }) =>
        results.map(({ paper_id, kind, number, url, pdf_url }) => (
          <p key={paper_id} className={styles.links}>
            <a href={addressOf(url)} target="_blank" rel="noreferrer">
              {t(`papers.${kind}`, { number })}
            </a>
            <a href={addressOf(pdf_url)} target="_blank" rel="noreferrer">
              PDF
            </a>
          </p>
        ))
      }
    </QueryPart>
  )
}
