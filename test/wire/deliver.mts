/** Signs deliveries without the package's code, so the two cannot share a mistake. */
import { hmac } from '../vectors/hmac.mts';

/** Returns the headers of a delivery that is signed at `time`, in Unix seconds. */
export const signedHeaders = (
	secret: string,
	text: string,
	time = Math.floor(Date.now() / 1000),
) => ({ 'x-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.${text}`).toString('hex')}` });
