// Page of the Stripe double where a customer pays, declines or confirms (3DS).
const button = (action: string, label: string) => `<button name="action" value="${action}">${label}</button>`

/** Returns the page of a session. @param challenge shows the confirmation of the bank */
export const payPage = (amount: string, challenge: boolean): string => `<!doctype html>
<html lang="en"><title>Checkout</title><h1>Pay ${amount}</h1><form method="post">${
  challenge
    ? button('confirm', 'Confirm payment') + button('reject', 'Reject')
    : button('pay', 'Pay') + button('challenge', 'Pay with 3DS') + button('decline', 'Pay with a declined card')
}</form></html>`
