/** A moment between two pieces of work: all of it at once would hold up what people do. */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
