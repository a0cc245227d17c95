import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { papers } from '#contract/areas/billing/papers.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface Props {
  readonly projectId: number
  readonly paymentId: number
}

/** Button that opens the papers of a payment. Their addresses hold tickets that expire, so they load on demand. */
export function HistoryPapers(props: Props) {
  const { t } = useTranslation('billing-history')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t('paper.show')}
      </Button>
      {isOpen && (
        <Dialog title={t('paper.title')} onClose={() => setOpen(false)}>
          <PaperList {...props} />
        </Dialog>
      )}
    </>
  )
}

function PaperList({ projectId, paymentId }: Props) {
  const { t } = useTranslation('billing-history')
  const list = useQuery({
    ...q(papers.list, { project_id: projectId, payment_id: paymentId }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <QueryPart query={list} failed={t('paper.failed')} skeleton={<Skeleton height={72} />}>
      {({ results }) =>
        results.length === 0 ? (
          <p>{t('paper.none')}</p>
        ) : (
          <RowList label={t('paper.title')}>
            {results.map(({ paper_id, kind, number, url, pdf_url }) => (
              <Row
                key={paper_id}
                title={
                  <a href={addressOf(url)} target="_blank" rel="noreferrer">
                    {t(`paper.${kind}`, { number })}
                  </a>
                }
                actions={
                  <a href={addressOf(pdf_url)} target="_blank" rel="noreferrer">
                    PDF
                  </a>
                }
              />
            ))}
          </RowList>
        )
      }
    </QueryPart>
  )
}

const addressOf = (path: string): string => new URL(path, apiRuntime().baseUrl || location.origin).href
