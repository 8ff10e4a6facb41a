/** Signs deliveries without the published code, so both cannot have the same mistake. */
import { hmac } from '../vectors/hmac.mts';

/** The headers of a delivery that Portal.io signs at a time, in unix seconds. */
export const signedHeaders = (
	secret: string,
	text: string,
	time = Math.floor(Date.now() / 1000),
) => ({ 'x-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.${text}`).toString('hex')}` });
