// Pages without operations on this server: another server may serve a part of the contract.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

interface Absent {
  /** The server answered a read as one that it does not have. */
  readonly isPartial: boolean
  /** Keys of the pages in the navigation, and names of the lines of plans, that it has no operation for. */
  readonly pages: ReadonlySet<string>
}

const complete: Absent = { isPartial: false, pages: new Set() }
const store = createStore<Absent>(() => complete)

/** Records that the server does not have every operation. */
export const notePartial = (): void => store.setState({ isPartial: true })

/** Sets the pages to leave out. */
export const setAbsentPages = (pages: Iterable<string>): void => store.setState({ pages: new Set(pages) })

/** Forgets a server, at the begin of a session. */
export const forgetAbsent = (): void => store.setState(complete)

export const useIsPartial = (): boolean => useStore(store, ({ isPartial }) => isPartial)
export const useAbsentPages = (): ReadonlySet<string> => useStore(store, ({ pages }) => pages)
