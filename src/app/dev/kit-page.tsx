// Every component of `src/ui` in all its states, in both themes. In development and tests only: no build of the product
// contains it (`e2e/kit.spec.ts`).
import { type ComponentType, Suspense } from 'react'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Charts, Frames, Messages } from './kit-content.tsx'
import { Buttons, Choices, Fields, Selects } from './kit-controls.tsx'
import { Dialogs } from './kit-dialogs.tsx'
import { type ExhibitProps, kitTexts } from './kit-texts.ts'
import styles from './kit.module.css'

/** Exhibits by the name of their screenshots. */
const exhibits: Readonly<Record<string, ComponentType<ExhibitProps>>> = {
  buttons: Buttons,
  choices: Choices,
  fields: Fields,
  selects: Selects,
  messages: Messages,
  frames: Frames,
  charts: Charts,
  dialogs: Dialogs,
}

export function Component() {
  const language = useLanguage()
  const texts = kitTexts[language]
  return (
    <main className={styles.kit}>
      <header className={styles.head}>
        <h1>{texts.title}</h1>
        {languages.map((one) => (
          <Button key={one} look="outline" aria-pressed={one === language} onClick={() => void changeLanguage(one)}>
            {one}
          </Button>
        ))}
        <p>{texts.intro}</p>
      </header>
      {Object.entries(exhibits).map(([name, Exhibit]) => (
        <section key={name} id={name} className={styles.exhibit} data-exhibit={name}>
          <h2>{name}</h2>
          {(['light', 'dark'] as const).map((theme) => (
            <div key={theme} className={styles.side} data-side={theme} style={{ colorScheme: theme }}>
              <Suspense>
                <Exhibit texts={texts} theme={theme} />
              </Suspense>
            </div>
          ))}
        </section>
      ))}
    </main>
  )
}
