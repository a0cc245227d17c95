import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { groupTitle } from '#src/lib/group-title.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { anchorOf, type ReferenceGroup, referenceGroup, routeOf } from './catalogue.ts'
import { OperationDetails } from './operation-details.tsx'
import styles from './reference.module.css'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Provenance } from '#contract/core/operation.ts'
import { RouteName } from './route-name.tsx'
import { CodeBlock } from '#src/components/code-block.tsx'
import type { PublishedFacts } from './published.ts'

export const pagePath = '/reference/:group'
export const handle = { title: 'reference:group.title' }

/** Reference page with the operations of one group. */
export function Component() {
  const { group: id } = useParams()
  const group = referenceGroup(id)
  return group ? <Known key={group.id} group={group} /> : <Unknown id={id ?? ''} />
}

function Known({ group: { id, area, title, served, waiting } }: { group: ReferenceGroup }) {
  const { t } = useTranslation('reference')
  return (
    <Page
      title={<span lang="en">{groupTitle(title)}</span>}
      intro={
        <>
          {t(`area.${area}`)} · <code>{id}</code> · {t('count.all', { count: served.length + waiting.length })}
        </>
      }
      actions={<Back />}
    >
      {served.length > 0 && (
        <section className={styles.part} aria-labelledby="served">
          <h2 id="served">{t('group.served')}</h2>
          {served.map((op) => (
            <OperationPanel key={op.id} route={routeOf(op)} name={op.name} provenance={op.provenance}>
              <OperationDetails op={op} />
            </OperationPanel>
          ))}
        </section>
      )}
      {waiting.length > 0 && (
        <section className={styles.part} aria-labelledby="waiting">
          <h2 id="waiting">{t('group.waiting')}</h2>
          <p className={styles.muted}>{t('group.waitingText')}</p>
          {waiting.map(({ route, name, facts }) => (
            <OperationPanel key={route} route={route} name={name}>
              <WaitingDetails facts={facts} />
            </OperationPanel>
          ))}
        </section>
      )}
    </Page>
  )
}

function Unknown({ id }: { id: string }) {
  const { t } = useTranslation('reference')
  return <Page title={t('unknown.title')} intro={t('unknown.text', { id })} actions={<Back />} />
}

function Back() {
  const { t } = useTranslation('reference')
  return (
    <Link to={paths.reference()} className={styles.back}>
      <IconArrowLeft size={16} stroke={1.8} aria-hidden /> {t('group.back')}
    </Link>
  )
}

interface OperationPanelProps {
  readonly route: string
  readonly name: string | undefined
  /** Absent for an operation that is not served. */
  readonly provenance?: Provenance
  /** Rendered when the panel is opened for the first time. */
  readonly children: ReactNode
}

/** Collapsible panel of one operation. A URL with its anchor opens it. */
function OperationPanel({ route, name, provenance, children }: OperationPanelProps) {
  const { t } = useTranslation('reference')
  const anchor = anchorOf(route)
  const isTarget = useLocation().hash === `#${anchor}`
  const [isOpen, setOpen] = useState(isTarget)
  const ref = useRef<HTMLDetailsElement>(null)

  useLayoutEffect(() => {
    const details = ref.current
    if (!isTarget || !details) return
    details.open = true
    details.scrollIntoView({ block: 'start' })
  }, [isTarget])

  return (
    <details
      ref={ref}
      id={anchor}
      className={styles.operation}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <h3 className={styles.operationName}>
          <RouteName route={route} />
        </h3>
        {name && (
          <span lang="en" className={styles.muted}>
            {name}
          </span>
        )}
        <span className={styles.provenance} data-provenance={provenance ?? 'waiting'}>
          {t(`provenance.${provenance ?? 'waiting'}`)}
        </span>
      </summary>
      {isOpen && <div className={styles.body}>{children}</div>}
    </details>
  )
}

/** Published facts about an operation that is not served yet. */
function WaitingDetails({ facts }: { facts: PublishedFacts | undefined }) {
  const { t } = useTranslation('reference')
  if (!facts) return <p className={styles.muted}>{t('published.nothing')}</p>
  const { parameters, answer, status, versions } = facts
  return (
    <>
      <p className={styles.muted}>{t('published.text', { seen: facts.seen })}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('fact.status')}</dt>
          <dd>{status.join(', ')}</dd>
        </div>
        {versions.length > 0 && (
          <div>
            <dt>{t('published.versions')}</dt>
            <dd>{versions.join(', ')}</dd>
          </div>
        )}
      </dl>
      <section>
        <h4>{t('parameters.title')}</h4>
        {parameters.length === 0 ? (
          <p className={styles.muted}>{t('parameters.none')}</p>
        ) : (
          <ul className={styles.published}>
            {parameters.map(({ name, isRequired, choice }) => (
              <li key={name}>
                <code>{name}</code>{' '}
                <span className={isRequired ? styles.required : styles.muted}>
                  {t(isRequired ? 'parameters.required' : 'parameters.optional')}
                </span>
                {choice.length > 0 && <code className={styles.choice}>{choice.join(' | ')}</code>}
              </li>
            ))}
          </ul>
        )}
      </section>
      {answer.length === 0 ? (
        <section>
          <h4>{t('published.answer')}</h4>
          <p className={styles.muted}>{t('published.noAnswer')}</p>
        </section>
      ) : (
        <CodeBlock label={t('published.answer')} text={answer.join('\n')} />
      )}
    </>
  )
}
