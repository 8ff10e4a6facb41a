import type { Database } from '../database.mts';

/** What a client needs to sign in as a user. All values are made up. */
export interface Credentials {
	appKey: string;
	secretKey: string;
	username: string;
	password: string;
}

const application = {
	appKey: 'SIMULATED-APPLICATION-KEY-1',
	// valid base64, but the key is the text itself and must not be decoded
	secretKey: 'Simulated+Secret/Key+Not+Real+1=',
};

const user = (username: string, password: string): Credentials => ({
	...application,
	username,
	password,
});

/** The users that can sign in. */
export const accounts = {
	/** Has every permission; its account has the seeded proposals, contacts and catalog. */
	dealer: user('avery@cedarandcoil.example', 'Turn-left & right 50%+'),
	/** Its email address is not verified: the key exchange is a 401. */
	unverified: user('noor@cedarandcoil.example', 'not-verified-yet-1'),
	/** Its account's subscription has lapsed: the key exchange works, other operations are a 402. */
	lapsed: user('milo@dimlanternav.example', 'lapsed-last-spring-1'),
	/** A user of the dealer's account: writes and lists are a 403, single reads work. */
	restricted: user('sam@cedarandcoil.example', 'look-do-not-touch-1'),
	/** A second account with its own proposals. */
	otherDealer: user('ines@tidewaterhomes.example', 'another-house-1'),
};

/** IDs of accounts. */
export const accountIds = { dealer: 11, lapsed: 12, otherDealer: 13 };

/** IDs of users, for SalesPersonId. `inactive` is not listed and cannot be assigned. */
export const userIds = {
	dealer: 301,
	salesJordan: 302,
	salesPriya: 303,
	restricted: 304,
	unverified: 305,
	inactive: 306,
	lapsed: 321,
	otherDealer: 331,
};

/** Inserts the application, the accounts and their users. */
export function insertAccounts(database: Database): void {
	database.insert('applications', {
		app_key: application.appKey,
		secret_key: application.secretKey,
		integrator: 'Demo integrator',
	});
	database.insert('accounts', {
		id: accountIds.dealer,
		company_name: 'Cedar & Coil Integration',
		street: '1480 Foundry Row',
		city: 'Denver',
		postal_code: '80205',
		state: 'Colorado',
		state_abbrev: 'CO',
		country: 'United States',
		phone: '303-555-0140',
		web_site_url: 'https://cedarandcoil.example',
		logo_url: 'https://cedarandcoil.example/logo.png',
		about_us: 'Home theatre, audio and automation for the Front Range since 2009.',
		project_terms: 'Half on signing, half on completion. Prices hold for 30 days.',
		tax_apply_to: 'Parts,Labor',
	});
	database.insert('accounts', {
		id: accountIds.lapsed,
		company_name: 'Dim Lantern AV',
		is_subscription_active: false,
		city: 'Boise',
		state: 'Idaho',
		state_abbrev: 'ID',
		country: 'United States',
	});
	database.insert('accounts', {
		id: accountIds.otherDealer,
		company_name: 'Tidewater Smart Homes',
		street: '7 Slip Street',
		city: 'Norfolk',
		postal_code: '23510',
		state: 'Virginia',
		state_abbrev: 'VA',
		country: 'United States',
		tax_apply_to: 'Parts',
	});
	const insertUser = (
		id: number,
		account: keyof typeof accountIds,
		name: [string, string],
		credentials: { username: string; password: string },
		rest: Record<string, string | boolean> = {},
	) =>
		database.insert('users', {
			id,
			account_id: accountIds[account],
			first_name: name[0],
			last_name: name[1],
			email: credentials.username,
			password: credentials.password,
			permission_group: 'Admin',
			...rest,
		});
	const nobody = (username: string) => ({ username, password: 'no-one-signs-in-here-1' });
	const sales = { permission_group: 'Sales' };
	insertUser(userIds.dealer, 'dealer', ['Avery', 'Lindqvist'], accounts.dealer);
	insertUser(
		userIds.salesJordan,
		'dealer',
		['Jordan', 'Okafor'],
		nobody('jordan@cedarandcoil.example'),
		sales,
	);
	insertUser(
		userIds.salesPriya,
		'dealer',
		['Priya', 'Raman'],
		nobody('priya@cedarandcoil.example'),
		sales,
	);
	insertUser(userIds.restricted, 'dealer', ['Sam', 'Whitcombe'], accounts.restricted, {
		permission_group: 'Restricted',
	});
	insertUser(userIds.unverified, 'dealer', ['Noor', 'Haddad'], accounts.unverified, {
		...sales,
		is_email_verified: false,
	});
	insertUser(
		userIds.inactive,
		'dealer',
		['Casey', 'Brandt'],
		nobody('casey@cedarandcoil.example'),
		{
			...sales,
			is_active: false,
		},
	);
	insertUser(userIds.lapsed, 'lapsed', ['Milo', 'Ferrante'], accounts.lapsed);
	insertUser(userIds.otherDealer, 'otherDealer', ['Ines', 'Carvalho'], accounts.otherDealer);
}
