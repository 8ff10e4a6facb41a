/** What QuickBooks Online checks in a customer. */
import { Fault, missing, unknownField } from './fault.mts';
import type { Customer } from './types.mts';

const CUSTOMER_FIELDS = new Set(
	(
		'Id SyncToken sparse DisplayName GivenName FamilyName MiddleName CompanyName PrimaryEmailAddr ' +
		'PrimaryPhone Mobile BillAddr ShipAddr Active Balance Notes Taxable PrintOnCheckName domain ' +
		'FullyQualifiedName BillWithParent BalanceWithJobs PreferredDeliveryMethod MetaData'
	).split(' '),
);

/** Refuses what QuickBooks would refuse in a new customer, or in the one with this ID. */
export function checkCustomer(
	customers: Customer[],
	fields: Record<string, unknown>,
	id?: string,
): Record<string, unknown> {
	for (const field of Object.keys(fields)) {
		if (!CUSTOMER_FIELDS.has(field)) throw unknownField(field);
	}
	const name = fields.DisplayName;
	if (typeof name !== 'string' || name.trim() === '') throw missing('DisplayName');
	if (/[:\t\n]/.test(name)) {
		throw new Fault('6000', 'A business validation error has occurred', 'DisplayName has a colon');
	}
	const same = (one: Customer) => one.DisplayName.toLowerCase() === name.toLowerCase();
	const other = customers.find((one) => one.Id !== id && same(one));
	if (other) {
		throw new Fault(
			'6240',
			'Duplicate Name Exists Error',
			`The name supplied already exists. : Id=${other.Id}`,
		);
	}
	return { Active: true, ...fields };
}
