/** The English words that errors of services are made of: none of them says anything of anybody. */
const WORDS = `
	annual build custom dealer effect identify io modification probe receiver rename tolerance unchanged
	a about above absolute accept acceptable accepted access according account accounts action
	active actual actually add added adding additional address addresses admin administrator after
	again against ago all allow allowed allows already also although always amount an and another
	any anything api app application apply are aren't argument arguments array as ask assigned
	associated at attempt attempts attribute auth authenticate authenticated authentication
	authorization authorized availability available away bad base be because been before begin
	being belong belongs below between binary blank block blocked body boolean both boundary
	bracket brackets broke broken build bulk but by byte bytes cache call called can can't
	canceled cancelled cannot case change changed changes changing character characters check
	checked choose chunk chunks client clock close closed code codes collection combination
	combined comma commas company complete completed concurrent condition conflict conflicts
	connect connection constraint contact contain contained contains content control convert
	converted copied copy correct corrected could couldn't count country create created creating
	creation credential credentials currency current currently custom data database date dates day
	days deactivated dealer decimal default define defined delete deleted deleting denied deny
	depend description deserialize detail details did didn't differ different digit digits
	disabled disallowed do document documentation does doesn't don't done down duplicate
	duplicated duplicates during each edit either element elements email empty enable enabled end
	ended endpoint ends enough ensure enter entered entity entries entry enum environment equal
	equals error errors event events every exact exactly exceed exceeded exceeds except exception
	exist existing exists expect expected expire expired expires extension external fail failed
	fails failure false feature fetch few field fields file files filter find first fix for
	forbidden foreign form format formats formatted found from full future gateway generate
	generated generic get give given go got greater group had handle handled handler has hash
	hasn't have haven't having header headers here high higher host hour hours how however html
	http https id identifier identifiers ids if ignored illegal image implemented in inactive
	include included includes including incorrect index information inner input inputs inside
	instead insufficient integer integers internal into invalid is isn't issue it item items its
	json just keep key keys kind know known label labor large larger last later latest least leave
	left length less letters level like limit limited limits line lines link list listed lists
	load loaded local location locked log logged login long longer low lower lowercase made main
	maintenance make malformed many mapping match matched matches matching max maximum may maybe
	measure media member members message method methods might min minimum minus minute minutes
	mismatch missing model modified modify month more most move moved multipart multiple must my
	name named names need needed needs negative never new next no non none nor not note nothing
	now null number numbers numeric object objects of off offline old older on once one only open
	operation operations option optional options or order orders other others otherwise our out
	outline outside over own owner page pages pair param parameter parameters parent parse parsed
	parsing part partial parts pass passed password past path paths pattern payload payment
	pending per perform performed period permission permissions permitted person phone place
	please plus point policy portal position positive possible post present prevent previous price
	primary private proceed process processed processing product prohibited project properties
	property proposal proposals protected protocol provide provided public put quantity queries
	query quota quote range rate rather reach reached read reading reason receive received recent
	recognized record records redirect reference referenced refuse refused region reject rejected
	related remote remove removed rename replace replaced request requested requests require
	required requirement requires reserved reset resource resources respond response restricted
	result results retried retry return returned reuse right role root route routes row rows rule
	run same save saved schema scope second seconds secret secure see seem select selected send
	sent separate separated sequence serialize server service session set setting settings several
	shared should shouldn't sign signature signed simple since single site size slash small
	smaller so some something sort source space spaces special specified specify start started
	starts state statement status still stop stopped stored string strings subscription
	subscriptions succeed success successful successfully such suffix supplied supplier support
	supported supports suspended syntax system table take taken target task temporarily temporary
	terminated text than that the their them then there therefore these they this those though
	throttled through time timed timeout times timestamp timezone title to token too total
	transaction transcribed tried true try trying twice two type types unable unauthorized
	unavailable undefined under unexpected unhandled unique unit unknown unless unprocessable
	unreadable unrecognized unspecified unsupported until up update updated updates upload
	uploaded uploading upper uppercase url urls usage use used user users using valid validate
	validated validation validator value values verified verify version via view violates
	violation visible wait was wasn't way we webhook webhooks well were weren't what when where
	whether which while whitespace whole why will with within without won't word words work
	working would wouldn't write writing wrong yes yet you you're your zero zone
`;

/** What is written in capitals, and the kinds of errors that a program has. */
const OTHERS =
	'API GUID HTML HTTP HTTPS ID IDs JSON SQL URI URL URLs UTC UTF UUID XML OK TypeError RangeError SyntaxError'.split(
		' ',
	);

const words = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));
const others = new Set(OTHERS);

/**
 * Whether a word is one of them: in lower case, as names are written otherwise, except at the
 * beginning of a sentence.
 */
export const isEnglish = (word: string, isFirst = false) =>
	others.has(word) ||
	words.has((isFirst ? word.charAt(0).toLowerCase() + word.slice(1) : word).replaceAll('’', "'"));
