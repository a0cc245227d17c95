/** `tests`: a headless shell or a browser. `figures`: a browser. */
export type Purpose = 'tests' | 'figures'
/** Switches that reduce Chromium's output, and allow it to run as root in a container. */
export declare const chromiumFlags: readonly string[]
/** Returns the path of an installed Chromium, or undefined. `CHROMIUM_PATH` comes first. */
export declare function findChromium(purpose: Purpose): string | undefined
/** Finds or installs a Chromium. Without one, prints the reason and ends the command. */
export declare function ensureChromium(purpose: Purpose): Promise<string>
