/** Signs deliveries without the published code: what is checked must not sign what checks it. */
import { hmac } from '../vectors/hmac.mts';

/** The headers of a delivery that Portal.io signs at a time, in unix seconds. */
export const signedHeaders = (
	secret: string,
	text: string,
	time = Math.floor(Date.now() / 1000),
) => ({ 'x-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.${text}`).toString('hex')}` });
