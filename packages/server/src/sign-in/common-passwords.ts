/**
 * What passwords are often made of: words, names, walks over a keyboard. A password that is nothing but one or two of
 * these, with digits and signs around them, is found in the first minutes of guessing.
 */
export const commonParts: readonly string[] = `
1q2w 1q2w3e4r5t6y 1qaz 1qaz2wsx3edc 2w3e 2wsx 3e4r 3edc 4r5t 4rfv 5t6y 5tgb 6yhn 7ujm 8ik 9ol aaa abc abcd abcde
abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcdefghijklm abcdefghijklmn abcdefghijklmno
abcdefghijklmnop abcdefghijklmnopq abcdefghijklmnopqr abcdefghijklmnopqrs abcdefghijklmnopqrst abcdefghijklmnopqrstu
abcdefghijklmnopqrstuv abcdefghijklmnopqrstuvw abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxy
abcdefghijklmnopqrstuvwxyz abracadabra access account accounts acdc achilles admin adminadmin administrator africa
airforce ajax alaska alejandro alexander alexandra alexandre allyourbase always amanda amazing amen america amore
amour andrea andreas andrew android angel angela angelina angels anthony antonio anything aphrodite apollo apple
apples april aragorn argentina army arsenal artemis asd asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdzxc ashley
assassin assassins asshole astonvilla athena audi august austin australia autumn avatar awesome azer azert azerty
azertyu azertyui azertyuio azertyuiop baby babyboy babygirl babylove backup backups bacon banana bangladesh barbara
barcelona bart baseball basketball batman bayern bayernmunich bcde bear bears beatles beautiful benfica benjamin
bentley benvenuto berlin bernard besiktas bestfriend bestfriends bgt bible bicycle bienvenido billionaire birthday
bitch bitches black blackberry blackcat blackdog blackjack blessed blessing blink blue blueberry bluebird bluesky bmw
bonjour borg boston boxing brandon brasil braveheart brazil brittany broncos brother brown budweiser buffalo bulls
bullshit bunny burger business butter butterfly butterscotch bvcxw bvcxy bvcxz cadillac california callofduty camaro
canada candy captain caramel carlos caroline carpediem cash cassandra catherine cde cdef celtic celtics champagne
champion champions change changeit changeme changemenow charles charlie cheese cheesecake chelsea cherries cherry
chevrolet chevy chicago chicken children chile china chocolate chouchou christ christian christina christine
christmas christopher church ciao ciaociao claudia cobra cocacola coffee college colombia company computer contrasena
contrasenia controlplane cookie cookies corporate correcthorsebatterystaple corvette counterstrike cowboys creed
cricket crimson crystal cupcake cvbn cycling cynthia daddy daisy dallas dance dancer dancing daniel danielle darkness
darling darthvader database dataprotection david dcba deadpool debian deborah december default defg demo denmark
dennis denver desktop deutschland developer development dfgh diablo diamond diamonds diana docker doctor dodge doggie
doggy dollar dollars dolphin dolphins dominic dominique donald donaldduck dortmund doudou dragon dragonball dragons
driver drummer ducati e3r4 eagle eagles easter edc edcba edward efgh egypt eleanor elephant elizabeth emily eminem
emma engineer engineering england eric erty ertz estrella eugene evening evergreen everton everything example fabian
facebook faith falcon falcons fall families family fantastic father favorite favourite fdsa fdsq february fedcba
felix fenerbahce fernando ferrari feyenoord fghi fghj finance finland firewall fishing florian florida flower flowers
football footballer ford forest forever fortnite france francisco frank franziska frederic freedom friday friend
friends friendship frodo fruehling fuck fucker fuckme fuckoff fuckyou gabriel gabriela galatasaray gandalf garden
garfield geheim geheimnis george gerald germany gfdsa gfdsq gfedcba ghij ghjk giants giovanni giraffe gladiator glory
gmail god godisgood godislove goku gold golden golf golfer google goose gorgeous grace grandma grandpa gray green
greenday gregory grey guest guinness guitar guitars gummybear hacker hackers hakunamatata halflife hallo halloween
hallowelt hamburger hannah hardware harley harleydavidson harold harrypotter haslo hawaii heather heaven heavymetal
heineken helen hello hellohello helloworld helpdesk henry herbst hercules hermione hero heroes hgfdsa hgfdsq hgfedcba
hijk hjkl hobbit hockey hogwarts hola holamundo holdfast holiday holland homer honda honey horse horses hotmail
houston hulk hunter hunting hurricane iceman ichliebedich ignacio ihgfedcba ijkl ilovegod iloveme ilovemyself
iloveyou incredible india indonesia infrastructure instagram internet intheend inthehouse intranet iop iphone
ipsumlorem ireland ironmaiden ironman isabella island israel italia italy iuytrewq iuytreza iuztrewq jacob jacqueline
jaguar james january japan jasmine javier jeep jeffrey jennifer jeremy jessica jesus jesuschrist jetaime jhgfdsa
jhgfdsq jihgfedcba jkl jklm john johnny joker jonathan jordan jose joseph joshua juan julia julian juliana july june
justice justin justine juventus karen kasia katherine kathleen katrina kawasaki kenneth kennwort kenya kevin killer
killers kimberly king kingdom kitten kitty kjhgfdsa kjhgfdsq kjihgfedcba klmn koala kohai korea kristina kubernetes
ladybug lakers lamborghini laptop larry laura lauren lawrence lawyer ledzeppelin legend legolas lemon leon leonardo
letmein letmeinnow liberty lightning lily linda linkedin linkinpark linux lion lions lisa liverpool liverpoolfc
lkjhgfdsa lkjhgfdsq lkjihgfedcba lmno login logon london loremipsum lorenzo losangeles louis love lovelove lovely
loveme lover loveyou loveyouforever lubov lucas luigi luis madison madrid magenta malaysia manager manchester
manchesterunited mancity manuel manunited marcel march marcus margaret maria marina marine marines mario mariposa
mark marketing markus marlene married marseille marshmallow martin martina maserati master masterkey matrix matthew
mauricio maverick maximilian may maytheforcebewithyou mazda mcdonalds megan melanie melbourne melissa mercedes
metallica mexico michael michelle mickey mickeymouse microsoft midnight miguel milan million millionaire mima
minecraft minnie misiek mju mlkjhgfdsq mlkjihgfedcba mnbvcxy mnbvcxz mnop mommy mommyanddaddy monday money mongodb
monica monkey monkeys montreal moonlight morgan morning morocco moscow motdepasse mother motherfucker motorcycle
mountain muffin music musica musician mustang myfamily mylife mylove mypassword myself mysql nadine nancy naruto
natalia natalie natasha nathan nathaniel navy nbvcxw nbvcxy nbvcxz network never newcastle newpassword newyork nhy
nicholas nicolas nicole nigeria niklas ninja nintendo nirvana nissan nmlkjihgfedcba nokia nopassword nopq norbert
norway nothing november nurse ocean october odysseus office oiuytrewq oiuytreza oiuztrewq oldpassword oliver olivia
onceuponatime onelove onlyme onlyyou onmlkjihgfedcba opensesame openup operator opqr oracle orange orchid outlook
packers pakistan pamela pancake panda panther panthers paris parol parola pass passphrase passw passwd password
password1 passwort passwortgeheim patricia patrick patriots paul peanut peanuts pedro penguin pepper peppers pepsi
perfect persephone peru peter pgbackrest philip philipp philippines phillip phoenix piano pikachu pilot pink
pinkfloyd pinkpanther pirate pirates pizza platinum playstation please pleaseletmein poiuytrewq poiuytreza poiuztrewq
pokemon poland police polska ponmlkjihgfedcba porn porsche porto portugal poseidon postgres postgresql potter power
powerful pqrs praise precious prince princess privet production professor programmer programming pumpkin puppy purple
pussy pwd python q1w2 q1w2e3r4t5y6 q2w3 qaz qazwsx qazwsxedc qponmlkjihgfedcba qrst qsdf qsdfg qsdfgh qsdfghj
qsdfghjk qsdfghjkl qsdfghjklm queen quickbrownfox qwe qweasd qwer qwert qwerty qwertyu qwertyui qwertyuio qwertyuiop
qwertz qwertzu qwertzui qwertzuio qwertzuiop r4t5 rabbit rachel racing rafael raiders rainbow rambo rangers raymond
realmadrid rebecca recover recovery red redis redrose redsox restic restore rewq reza rfv ricardo richard river
robert roberto robin rocknroll rockstar rocky rodrigo rolling rome ronald root rose roses router rqponmlkjihgfedcba
rstu rtyu rtzu rugby running russell russia sabine sabrina salasana sales samantha sample samsung samuel samurai
sandra sanfrancisco santiago sarah sasuke saturday scarlet schalke schatz schatzi school scooby scoobydoo scorpion
scotland sdfg seattle sebastian secret secrets secure security senha senha123 september sergio server servers service
services sexy sexybitch shadow shadows shark sharks sharon sheila sifre signin silver simon simpsons singapore singer
sister skateboard skating skywalker slipknot snapshot snickers sniper snoopy snowboard soccer software soldier soleil
something sommer sonic sonnenschein sony sophia sophie southpark spain spartacus spartan special spider spiderman
spongebob sporting spring srqponmlkjihgfedcba staging starbucks starcraft starlight startrek starwars steelers stefan
stefanie stella stephanie stephen steven stones storage storm strawberry strong stronger student stuv subaru success
sugar summer sunday sunflower sunrise sunset sunshine sunshine1 supercalifragilisticexpialidocious superman superuser
superwoman support surfer surfing susan suzuki sweden sweetheart sweetie sweetlove swimming switch sydney sysadmin
system t5y6 tamara taylor teacher teachers teamo tekken temp temporary tennis tequiero tequila teresa terminator
tesla test tester testing testtest texas tgb thailand theodore thepassword thequickbrownfox thisismypassword thomas
thor thunder thunderbolt thursday tiffany tiger tigers timothy titanic tobeornottobe tobias today together tomorrow
tonight toor topgun tornado toronto tottenham toyota travis trewq treza truelove trustno trustnobody trustnoone
tsrqponmlkjihgfedcba tuesday tupac turkey turquoise turtle tuvw twitter tyler tyui tzui ubuntu uiop ujm ukraine
unbelievable unicorn university ursula user username utsrqponmlkjihgfedcba uvwx uytrewq uytreza uztrewq vacation
valentina valerie vancouver vanessa vanilla vbnm vcxw vcxy vcxz veeam vegeta veronica vfr victor victoria victory
vienna vietnam vincent violet virginia vodka voldemort volkswagen volleyball vutsrqponmlkjihgfedcba vwxy w2e3
wachtwoord wales walter warcraft warrior wasd wedding wednesday weekend welcome welcomeback welkom wendy wert westham
whatever whiskey white whitewolf wifi william windows winner winners winning winter wireless woaini wolf wolfgang
wolverine wolves worldofwarcraft wrestling wsx wvutsrqponmlkjihgfedcba wxcv wxcvb wxcvbn wxyz xbox xcvb xsw
xwvutsrqponmlkjihgfedcba xyz yahoo yamaha yankees yellow yesterday yhn yoda yourpassword youshallnotpass youtube
ytrewq ytreza yuio yvonne yxcv yxcvb yxcvbn yxcvbnm yxwvutsrqponmlkjihgfedcba zachary zaq zaq12wsx zebra zelda zert
zeus ztrewq zuio zxc zxcv zxcvb zxcvbn zxcvbnm zyxwvutsrqponmlkjihgfedcba zzz
`
  .trim()
  .split(/\s+/);
