import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { LeaveGuard } from '#src/components/leave-guard.tsx'

const Report = createContext<(form: string, isDirty: boolean) => void>(() => {})

/** Confirms navigation away from the page while any of its forms has unsaved input. */
export function UnsavedForms({ children }: { readonly children: ReactNode }) {
  const [dirty, setDirty] = useState<readonly string[]>([])
  const [report] = useState(() => (form: string, isDirty: boolean) => {
    setDirty((now) =>
      isDirty === now.includes(form) ? now : isDirty ? [...now, form] : now.filter((one) => one !== form),
    )
  })
  return (
    <Report value={report}>
      {children}
      <LeaveGuard isDirty={dirty.length > 0} />
    </Report>
  )
}

/** Reports whether a form of the page has unsaved input. */
export function useReportUnsaved(form: string, isDirty: boolean): void {
  const report = useContext(Report)
  useEffect(() => {
    report(form, isDirty)
    return () => report(form, false)
  }, [report, form, isDirty])
}
