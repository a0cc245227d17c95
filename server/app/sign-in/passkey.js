// The passkey button of the sign-in pages: asks the service for a challenge, the browser for its answer, and sends the form with it.
const button = document.querySelector('#passkey')
const form = document.querySelector('form')

/** Loads the library with the first press. */
const load = () =>
  new Promise((resolve, reject) => {
    if (globalThis.SimpleWebAuthnBrowser) return resolve()
    const script = Object.assign(document.createElement('script'), { src: '/auth/local/webauthn.js' })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', reject)
    document.head.append(script)
  })

const problem = document.querySelector('#passkey-problem')

async function press() {
  problem.textContent = ''
  button.disabled = true
  try {
    await load()
    const fields = new URLSearchParams(new FormData(form))
    const asked = await fetch(button.dataset.options, { method: 'POST', body: fields })
    if (!asked.ok) throw new Error(`The service answered ${asked.status}`)
    const answer = await globalThis.SimpleWebAuthnBrowser.startAuthentication({ optionsJSON: await asked.json() })
    form.elements.passkey.value = JSON.stringify(answer)
    form.submit()
  } catch (error) {
    // The user has closed the dialog of the browser, or it knows no passkey of this page.
    const isDeclined = error instanceof Error && error.name === 'NotAllowedError'
    problem.textContent = button.dataset[isDeclined ? 'declined' : 'failed']
  } finally {
    button.disabled = false
  }
}

if (button && globalThis.PublicKeyCredential) {
  button.hidden = false
  button.addEventListener('click', () => void press())
}
