import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Page } from '#src/ui/page.tsx'
import { SearchField } from '#src/ui/toolbar.tsx'
import { Contents } from './contents.tsx'
import { FoundArticles } from './found-articles.tsx'
import { HelpCards } from './help-cards.tsx'
import styles from './help.module.css'
import { OtherTexts } from './other-texts.tsx'

/** Help: the handbook with its search, keyboard shortcuts, API, version, blog and policies. Needs no session. */
export function HelpPage() {
  const { t } = useTranslation('help')
  const [params, setParams] = useSearchParams()
  const fromUrl = params.get('s') ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  // The URL lags behind typing; keep the input until both match.
  if (typed !== null && typed === fromUrl) setTyped(null)
  const text = typed ?? fromUrl
  const query = useDeferredValue(text.trim())

  const handleSearch = (value: string) => {
    setTyped(value)
    setParams(value === '' ? {} : { s: value }, { replace: true, preventScrollReset: true })
  }

  return (
    <Page title={t('title')} intro={t('intro')}>
      <div role="search" className={styles.search}>
        <SearchField label={t('search.label')} maxLength={255} value={text} onChange={handleSearch} />
      </div>
      {query === '' ? <Contents /> : <FoundArticles query={query} />}
      <HelpCards />
      <OtherTexts />
    </Page>
  )
}
