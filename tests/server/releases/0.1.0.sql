-- The database of release 0.1.0 (schema 1) after an evening: matches in progress and one that is over, a table that
-- waits, chat, guests. What the players knew of it is in test_migrations.py.
BEGIN TRANSACTION;
CREATE TABLE actions (
	"match" TEXT NOT NULL,
	ply INTEGER NOT NULL,
	text TEXT NOT NULL,
	actor INTEGER NOT NULL,
	"by" TEXT NOT NULL,
	at BIGINT NOT NULL,
	known TEXT NOT NULL,
	request TEXT,
	last INTEGER NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY ("match", ply),
	UNIQUE ("match", request),
	FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "actions" VALUES('dmjexp56vfechxau',0,'roll 2',-1,'chance',1795013215641,'',NULL,1,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',1,'move 2',0,'person',1795013215656,'','2xjrn7n3bx7j4jtd:f2a74de452e6b438',3,'0827e433fc43cb95');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',2,'roll 3',-1,'chance',1795013215656,'',NULL,3,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',3,'move 3',1,'person',1795013215663,'','ugv9nuwdm57xqf5y:6513270e269e0d37',5,'58a284ea2a2aba66');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',4,'roll 3',-1,'chance',1795013215663,'',NULL,5,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',5,'move 3',2,'bot',1795013251792,'',NULL,7,'4a890efb4674c547');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',6,'roll 4',-1,'chance',1795013251792,'',NULL,7,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',7,'move 4',0,'person',1795013251806,'','2xjrn7n3bx7j4jtd:c5c7fd0a6a3a450',9,'919d3261f03a0e27');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',8,'roll 2',-1,'chance',1795013251806,'',NULL,9,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',9,'move 2',1,'person',1795013251834,'','ugv9nuwdm57xqf5y:d23f0824128b2f33',11,'430e74b7618993eb');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',10,'roll 3',-1,'chance',1795013251834,'',NULL,11,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',11,'move 3',2,'bot',1795013251860,'',NULL,13,'08c6bcd80fc87b27');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',12,'roll *',-1,'chance',1795013251860,'',NULL,13,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',13,'move 4',0,'person',1795013251884,'','2xjrn7n3bx7j4jtd:1818e811892f902b',15,'bbc87f97e5ae6358');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',14,'roll 4',-1,'chance',1795013251884,'',NULL,15,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',15,'move 4',1,'person',1795013251901,'','ugv9nuwdm57xqf5y:9531985d5d9dc9f8',17,'fab7b768d17ac445');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',16,'roll 5',-1,'chance',1795013251901,'',NULL,17,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',17,'move 5',2,'bot',1795013251906,'',NULL,19,'0e3e82ef79f77514');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',18,'roll 1',-1,'chance',1795013251906,'',NULL,19,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',19,'move 1',0,'person',1795013251965,'','2xjrn7n3bx7j4jtd:e8e25d940ed90475',21,'e4677e76ae222d39');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',20,'roll *',-1,'chance',1795013251965,'',NULL,21,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',21,'move 4',1,'person',1795013251981,'','ugv9nuwdm57xqf5y:36f675cc81e74ef5',23,'4b863772869fb2b7');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',22,'roll 1',-1,'chance',1795013251981,'',NULL,23,'');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',23,'move 1',2,'bot',1795013251999,'',NULL,25,'3585625d0c0429b9');
INSERT INTO "actions" VALUES('dmjexp56vfechxau',24,'roll 1',-1,'chance',1795013251999,'',NULL,25,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',0,'stack 2',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',1,'stack 1',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',2,'stack 3',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',3,'draw y5c',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',4,'draw y3c',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',5,'draw b4a',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',6,'draw y4c',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',7,'draw r5c',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',8,'draw t1',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',9,'draw t2b',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',10,'draw t6b',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',11,'draw t7',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',12,'draw y2a',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',13,'draw y3b',-1,'chance',1795013252037,'',NULL,14,'');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',14,'take 1',2,'bot',1795013404192,'',NULL,15,'582449b507bd3d45');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',15,'place 0,0',2,'bot',1795013404196,'',NULL,16,'2abde17abcb993ab');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',16,'take 1',0,'person',1795013404233,'','2xjrn7n3bx7j4jtd:1600a35a099950d8',17,'cf5de2edad966c2e');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',17,'place 0,0',0,'person',1795013404249,'','2xjrn7n3bx7j4jtd:6b0d549b6f03675a',18,'c2d6a4c09c7ba026');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',18,'take 2',1,'person',1795013404260,'','ugv9nuwdm57xqf5y:3d9c172411e20b8f',19,'c10686367cc66b86');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',19,'place 0,0',1,'person',1795013404284,'','ugv9nuwdm57xqf5y:8d116ece1738f7d9',20,'8286a8ee22bb6993');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',20,'take 2',0,'person',1795013404291,'','2xjrn7n3bx7j4jtd:f21ddb66cad4a26',21,'fee6131d96478331');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',21,'place 1,0',0,'person',1795013404334,'','2xjrn7n3bx7j4jtd:90c192cfd3ac94af',22,'2acd72e00aefda75');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',22,'take 3',0,'person',1795013404360,'','2xjrn7n3bx7j4jtd:f28c105d1fb17c23',23,'b4b1a6e69ccc7d09');
INSERT INTO "actions" VALUES('y49aifxpbui5t3v8',23,'place -1,0',0,'person',1795013404381,'','2xjrn7n3bx7j4jtd:a170b33839263059',24,'4cbb1277d65ae81f');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',0,'without wheat',-1,'chance',1795013404405,'1 1 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',1,'token b1 clay-5',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',2,'token c1 wood-5',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',3,'token g1 food-3a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',4,'token j1 wheat-3a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',5,'token k1 stone-4a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',6,'token f2 stone-3a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',7,'token d3 food-5',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',8,'token e3 food-3b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',9,'token h3 stone-3b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',10,'token i3 food-4b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',11,'token a5 wheat-4a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',12,'token k5 wheat-3b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',13,'token b6 stone-4b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',14,'token i6 wood-4a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',15,'token j6 wood-4b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',16,'token a7 stone-5',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',17,'token c7 food-4a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',18,'token e7 clay-4a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',19,'token g7 wood-3a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',20,'token h7 clay-4b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',21,'token l7 wheat-4b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',22,'token i8 clay-3a',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',23,'token c9 clay-3b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',24,'token f9 wood-3b',-1,'chance',1795013404405,'2 2 2 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',25,'deal 1 quiet-town-b',-1,'chance',1795013404405,'1 2 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',26,'deal 2 express-delivery-b',-1,'chance',1795013404405,'1 1 2 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',27,'deal 3 express-delivery-a',-1,'chance',1795013404405,'1 1 1 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',28,'deal 1 shortcut-b',-1,'chance',1795013404405,'1 2 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',29,'deal 2 secret-plan-a',-1,'chance',1795013404405,'1 1 2 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',30,'deal 3 shortcut-a',-1,'chance',1795013404405,'1 1 1 2',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',31,'turn-up distillery-a',-1,'chance',1795013404405,'1 1 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',32,'turn-up airway-a',-1,'chance',1795013404405,'1 1 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',33,'turn-up store-b',-1,'chance',1795013404405,'1 1 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('xaf93whu4vwz2gpw',34,'turn-up carpentry-d',-1,'chance',1795013404405,'1 1 1 1',NULL,35,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',0,'roll 2',-1,'chance',1795013404457,'',NULL,1,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',1,'move 2',0,'person',1795013404469,'','2xjrn7n3bx7j4jtd:953f48f1a09f76b5',3,'7fd08e9d7da81fa7');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',2,'roll 2',-1,'chance',1795013404469,'',NULL,3,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',3,'move 2',1,'bot',1795013404481,'',NULL,5,'8dab783aee1dfdd5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',4,'roll 3',-1,'chance',1795013404481,'',NULL,5,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',5,'move 3',0,'person',1795013404509,'','2xjrn7n3bx7j4jtd:fd630f1f29d0da9',7,'d8352a6d0cefb9b4');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',6,'roll 4',-1,'chance',1795013404509,'',NULL,7,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',7,'move 4',1,'bot',1795013404517,'',NULL,9,'d08815dfbf75f47b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',8,'roll 2',-1,'chance',1795013404517,'',NULL,9,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',9,'move 2',0,'person',1795013404533,'','2xjrn7n3bx7j4jtd:95e60af593bd04cf',11,'6848494f53d257aa');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',10,'roll 5',-1,'chance',1795013404533,'',NULL,11,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',11,'move 5',1,'bot',1795013404539,'',NULL,13,'9c494ff0040c7fd2');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',12,'roll 5',-1,'chance',1795013404539,'',NULL,13,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',13,'move 5',0,'person',1795013404573,'','2xjrn7n3bx7j4jtd:cb1e29c658cda14',15,'411f55420e911fe1');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',14,'roll 4',-1,'chance',1795013404573,'',NULL,15,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',15,'move 4',1,'bot',1795013404582,'',NULL,17,'357510958673794d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',16,'roll *',-1,'chance',1795013404582,'',NULL,17,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',17,'move 3',0,'person',1795013404597,'','2xjrn7n3bx7j4jtd:3898d190f9ebdacc',19,'2d2052730d86c6ab');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',18,'roll 4',-1,'chance',1795013404597,'',NULL,19,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',19,'move 4',0,'person',1795013404611,'','2xjrn7n3bx7j4jtd:8e81973e0becd7b0',21,'1024dd0dc28adabf');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',20,'roll *',-1,'chance',1795013404611,'',NULL,21,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',21,'move 1',0,'person',1795013404617,'','2xjrn7n3bx7j4jtd:2217beaddbc496cb',23,'1805875875507f87');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',22,'roll 5',-1,'chance',1795013404617,'',NULL,23,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',23,'move 5',1,'bot',1795013404630,'',NULL,25,'9be7b4fbaa100b8b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',24,'roll *',-1,'chance',1795013404630,'',NULL,25,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',25,'move 1',0,'person',1795013404645,'','2xjrn7n3bx7j4jtd:6b4cb2424a23d596',27,'75a6344149018c2c');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',26,'roll 3',-1,'chance',1795013404645,'',NULL,27,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',27,'move 3',1,'bot',1795013404655,'',NULL,29,'87d2ba5201367d93');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',28,'roll 1',-1,'chance',1795013404655,'',NULL,29,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',29,'move 1',0,'person',1795013404676,'','2xjrn7n3bx7j4jtd:8a6a63ec24ede6a4',31,'c374cc5be9f9c1e1');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',30,'roll 5',-1,'chance',1795013404676,'',NULL,31,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',31,'split 4 1',1,'bot',1795013404680,'',NULL,33,'40b74e19e19280c5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',32,'roll 4',-1,'chance',1795013404680,'',NULL,33,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',33,'move 4',1,'bot',1795013404693,'',NULL,35,'470bfad64c6d3312');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',34,'roll 1',-1,'chance',1795013404693,'',NULL,35,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',35,'move 1',0,'person',1795013404710,'','2xjrn7n3bx7j4jtd:922766581e27a1c0',37,'58ba46ca153bd8ad');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',36,'roll 1',-1,'chance',1795013404710,'',NULL,37,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',37,'move 1',1,'bot',1795013404723,'',NULL,39,'7bf4ce36cf1fd453');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',38,'roll 1',-1,'chance',1795013404723,'',NULL,39,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',39,'move 1',1,'bot',1795013404735,'',NULL,41,'b1c7ea91dafedeb2');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',40,'roll 4',-1,'chance',1795013404735,'',NULL,41,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',41,'split 3 1',1,'bot',1795013404743,'',NULL,43,'af5fff3e494bc9dd');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',42,'roll *',-1,'chance',1795013404743,'',NULL,43,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',43,'move 2',0,'person',1795013404748,'','2xjrn7n3bx7j4jtd:8f6d05584ef8aa38',45,'7128e5e95c4eda9e');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',44,'roll 3',-1,'chance',1795013404748,'',NULL,45,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',45,'split 1 2',1,'bot',1795013404751,'',NULL,47,'9972d5b4816c0070');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',46,'roll 1',-1,'chance',1795013404751,'',NULL,47,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',47,'move 1',0,'person',1795013404768,'','2xjrn7n3bx7j4jtd:ae97ba94d0eda82f',49,'5f4aac96d38d9df9');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',48,'roll 2',-1,'chance',1795013404768,'',NULL,49,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',49,'move 2',1,'bot',1795013404769,'',NULL,51,'8af37970a820fdc4');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',50,'roll 3',-1,'chance',1795013404769,'',NULL,51,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',51,'move 3',1,'bot',1795013404772,'',NULL,53,'ade7cf959b8918ca');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',52,'roll 3',-1,'chance',1795013404772,'',NULL,53,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',53,'split 2 1',1,'bot',1795013404773,'',NULL,55,'0052de1360b12e87');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',54,'roll 3',-1,'chance',1795013404773,'',NULL,55,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',55,'split 2 1',0,'person',1795013404786,'','2xjrn7n3bx7j4jtd:1a61dbe22e44158b',57,'81c57c24a2139f64');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',56,'roll 1',-1,'chance',1795013404786,'',NULL,57,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',57,'move 1',1,'bot',1795013404793,'',NULL,59,'18855a8ac93ea89e');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',58,'roll 4',-1,'chance',1795013404793,'',NULL,59,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',59,'move 4',0,'person',1795013404807,'','2xjrn7n3bx7j4jtd:923a736994e3bf91',61,'85fd7b9b3a036e4a');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',60,'roll 4',-1,'chance',1795013404807,'',NULL,61,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',61,'split 3 1',0,'person',1795013404821,'','2xjrn7n3bx7j4jtd:301850c5a38fd547',63,'a4318d2c0799d7e7');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',62,'roll 4',-1,'chance',1795013404821,'',NULL,63,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',63,'move 4',0,'person',1795013404834,'','2xjrn7n3bx7j4jtd:18f135d25f557203',65,'e34c0d78192dda1e');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',64,'roll 3',-1,'chance',1795013404834,'',NULL,65,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',65,'split 1 2',0,'person',1795013404853,'','2xjrn7n3bx7j4jtd:b64ce4228c38fb29',67,'2b9fef7887a7b0b5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',66,'roll 5',-1,'chance',1795013404853,'',NULL,67,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',67,'split 1 4',1,'bot',1795013404865,'',NULL,69,'607d732b844ddc55');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',68,'roll 1',-1,'chance',1795013404865,'',NULL,69,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',69,'move 1',0,'person',1795013404878,'','2xjrn7n3bx7j4jtd:907a70c31012f037',71,'a344577010795d21');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',70,'roll *',-1,'chance',1795013404878,'',NULL,71,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',71,'move 4',1,'bot',1795013404885,'',NULL,73,'3a6bc34e5f784e87');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',72,'roll 4',-1,'chance',1795013404885,'',NULL,73,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',73,'split 3 1',0,'person',1795013404897,'','2xjrn7n3bx7j4jtd:9e7769b10f4205b4',75,'f969ba3dec07be55');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',74,'roll 1',-1,'chance',1795013404897,'',NULL,75,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',75,'move 1',1,'bot',1795013404911,'',NULL,77,'b9be0db1b206dc34');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',76,'roll *',-1,'chance',1795013404911,'',NULL,77,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',77,'move 2',0,'person',1795013404928,'','2xjrn7n3bx7j4jtd:7f15052434b9b5df',79,'d43ec313eeebecb9');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',78,'roll 1',-1,'chance',1795013404928,'',NULL,79,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',79,'move 1',1,'bot',1795013404944,'',NULL,81,'6232ccc4a157ab10');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',80,'roll 3',-1,'chance',1795013404944,'',NULL,81,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',81,'split 1 2',0,'person',1795013404960,'','2xjrn7n3bx7j4jtd:881ed162ae2eb154',83,'1625ee16d3bb8944');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',82,'roll 4',-1,'chance',1795013404960,'',NULL,83,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',83,'move 4',1,'bot',1795013404971,'',NULL,85,'b467310ed3577b2d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',84,'roll *',-1,'chance',1795013404971,'',NULL,85,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',85,'move 2',0,'person',1795013404986,'','2xjrn7n3bx7j4jtd:c6f877186d76b07e',87,'be978fe45d63c184');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',86,'roll 4',-1,'chance',1795013404986,'',NULL,87,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',87,'split 3 1',1,'bot',1795013404991,'',NULL,89,'0803747e50aa0a48');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',88,'roll 2',-1,'chance',1795013404991,'',NULL,89,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',89,'move 2',0,'person',1795013405014,'','2xjrn7n3bx7j4jtd:7731af10506bf2ef',91,'ff6ca6b24a0823aa');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',90,'roll 4',-1,'chance',1795013405014,'',NULL,91,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',91,'split 1 3',1,'bot',1795013405018,'',NULL,93,'a198cb559281a46e');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',92,'roll *',-1,'chance',1795013405018,'',NULL,93,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',93,'move 2',1,'bot',1795013405022,'',NULL,95,'3a9b1365c8891eac');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',94,'roll 2',-1,'chance',1795013405022,'',NULL,95,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',95,'move 2',0,'person',1795013405046,'','2xjrn7n3bx7j4jtd:ec66a78795e761d1',97,'1928a5c1f059e717');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',96,'roll *',-1,'chance',1795013405046,'',NULL,97,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',97,'move 1',1,'bot',1795013405054,'',NULL,99,'c77105a303029b4f');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',98,'roll 4',-1,'chance',1795013405054,'',NULL,99,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',99,'split 1 3',0,'person',1795013405067,'','2xjrn7n3bx7j4jtd:5c90a9587403e430',101,'cbbb00400fecd628');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',100,'roll 4',-1,'chance',1795013405067,'',NULL,101,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',101,'move 4',1,'bot',1795013405074,'',NULL,103,'c61d604096fda424');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',102,'roll *',-1,'chance',1795013405074,'',NULL,103,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',103,'move 1',0,'person',1795013405089,'','2xjrn7n3bx7j4jtd:3f98e2774cbd87ad',105,'55ddc6808b26a76a');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',104,'roll *',-1,'chance',1795013405089,'',NULL,105,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',105,'move 1',1,'bot',1795013405095,'',NULL,107,'e545458a359868e2');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',106,'roll 4',-1,'chance',1795013405095,'',NULL,107,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',107,'split 1 3',0,'person',1795013405113,'','2xjrn7n3bx7j4jtd:2e05319acb5c7427',109,'142d4586a6f16a85');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',108,'roll 2',-1,'chance',1795013405113,'',NULL,109,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',109,'move 2',1,'bot',1795013405132,'',NULL,111,'48d8a21ae193b756');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',110,'roll 3',-1,'chance',1795013405132,'',NULL,111,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',111,'split 2 1',0,'person',1795013405150,'','2xjrn7n3bx7j4jtd:c7a2ea20b2f14c94',113,'f2e073fc93baa2b4');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',112,'roll *',-1,'chance',1795013405150,'',NULL,113,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',113,'move 2',1,'bot',1795013405158,'',NULL,115,'6e5244412e7dd59d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',114,'roll 2',-1,'chance',1795013405158,'',NULL,115,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',115,'move 2',0,'person',1795013405173,'','2xjrn7n3bx7j4jtd:14f4733f3e7d1bfb',117,'9d233c7da2b1cdef');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',116,'roll 4',-1,'chance',1795013405173,'',NULL,117,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',117,'split 1 3',1,'bot',1795013405183,'',NULL,119,'d25c2bc6a1d5979d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',118,'roll 5',-1,'chance',1795013405183,'',NULL,119,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',119,'split 1 4',0,'person',1795013405197,'','2xjrn7n3bx7j4jtd:4cdd2055930d6eaf',121,'d5a80493d7c9a2ac');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',120,'roll 5',-1,'chance',1795013405197,'',NULL,121,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',121,'split 1 4',1,'bot',1795013405202,'',NULL,123,'fbd27149f5c687f0');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',122,'roll 4',-1,'chance',1795013405202,'',NULL,123,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',123,'split 3 1',0,'person',1795013405223,'','2xjrn7n3bx7j4jtd:7ebff20686734721',125,'4ba5c63ccca09c5a');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',124,'roll 3',-1,'chance',1795013405223,'',NULL,125,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',125,'move 3',1,'bot',1795013405261,'',NULL,127,'cff8b78081d1b243');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',126,'roll 4',-1,'chance',1795013405261,'',NULL,127,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',127,'split 3 1',0,'person',1795013405279,'','2xjrn7n3bx7j4jtd:57ee05cde00902c7',129,'17dded32ccf9a997');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',128,'roll 4',-1,'chance',1795013405279,'',NULL,129,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',129,'move 4',1,'bot',1795013405309,'',NULL,131,'3999c81499a891e4');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',130,'roll *',-1,'chance',1795013405309,'',NULL,131,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',131,'move 3',0,'person',1795013405337,'','2xjrn7n3bx7j4jtd:72e6cc3ababced20',133,'aea534995c90cc98');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',132,'roll 4',-1,'chance',1795013405337,'',NULL,133,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',133,'split 3 1',1,'bot',1795013405352,'',NULL,135,'8892da730d53eb28');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',134,'roll 1',-1,'chance',1795013405352,'',NULL,135,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',135,'move 1',0,'person',1795013405366,'','2xjrn7n3bx7j4jtd:9be4bcfc49b64a08',137,'2610ea520fc610d5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',136,'roll 5',-1,'chance',1795013405366,'',NULL,137,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',137,'split 1 4',1,'bot',1795013405375,'',NULL,139,'512b5ab5c3549688');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',138,'roll 4',-1,'chance',1795013405375,'',NULL,139,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',139,'split 3 1',0,'person',1795013405393,'','2xjrn7n3bx7j4jtd:12bd4acefaecbd38',141,'46f11a2ca98ccf69');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',140,'roll 4',-1,'chance',1795013405393,'',NULL,141,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',141,'split 1 3',1,'bot',1795013405397,'',NULL,143,'c2712f083efa3e08');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',142,'roll 1',-1,'chance',1795013405397,'',NULL,143,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',143,'move 1',0,'person',1795013405421,'','2xjrn7n3bx7j4jtd:830e07bc1e398f10',145,'9ad79c9da46b18f5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',144,'roll 1',-1,'chance',1795013405421,'',NULL,145,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',145,'move 1',1,'bot',1795013405428,'',NULL,147,'f20d62ed9dcca71b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',146,'roll 5',-1,'chance',1795013405428,'',NULL,147,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',147,'split 3 2',0,'person',1795013405454,'','2xjrn7n3bx7j4jtd:2a3af4d46b0a18e8',149,'f8f77e6772b5f574');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',148,'roll 3',-1,'chance',1795013405454,'',NULL,149,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',149,'split 1 2',1,'bot',1795013405464,'',NULL,151,'533a74a48cad1085');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',150,'roll 3',-1,'chance',1795013405464,'',NULL,151,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',151,'move 3',0,'person',1795013405486,'','2xjrn7n3bx7j4jtd:5790f82ec1d3fcff',153,'aabd9da1ba7767ba');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',152,'roll 3',-1,'chance',1795013405486,'',NULL,153,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',153,'move 3',1,'bot',1795013405491,'',NULL,155,'7402f511c357ce0b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',154,'roll 2',-1,'chance',1795013405491,'',NULL,155,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',155,'move 2',0,'person',1795013405509,'','2xjrn7n3bx7j4jtd:eeeacbe226e87555',157,'057e75dfee536ff8');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',156,'roll 2',-1,'chance',1795013405509,'',NULL,157,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',157,'move 2',1,'bot',1795013405513,'',NULL,159,'603e1205e0eea225');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',158,'roll 2',-1,'chance',1795013405513,'',NULL,159,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',159,'move 2',0,'person',1795013405528,'','2xjrn7n3bx7j4jtd:6bf46c697d2caf82',161,'b4f4c7f803ebc5f8');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',160,'roll 2',-1,'chance',1795013405528,'',NULL,161,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',161,'move 2',1,'bot',1795013405530,'',NULL,163,'dddd2c8a918922aa');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',162,'roll 1',-1,'chance',1795013405530,'',NULL,163,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',163,'pass',0,'person',1795013405550,'','2xjrn7n3bx7j4jtd:f646e1f40a097c97',165,'5badfa607861536d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',164,'roll 2',-1,'chance',1795013405550,'',NULL,165,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',165,'move 2',1,'bot',1795013405556,'',NULL,167,'5529caefc679f81b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',166,'roll 5',-1,'chance',1795013405556,'',NULL,167,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',167,'split 3 2',0,'person',1795013405592,'','2xjrn7n3bx7j4jtd:13deef86ab1031d0',169,'0d1111a06189c7cb');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',168,'roll 2',-1,'chance',1795013405592,'',NULL,169,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',169,'move 2',1,'bot',1795013405596,'',NULL,171,'3a290deeb85bf0e7');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',170,'roll 2',-1,'chance',1795013405596,'',NULL,171,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',171,'move 2',0,'person',1795013405609,'','2xjrn7n3bx7j4jtd:8ede0d7ac3baea9e',173,'db99f1c4ccf365f5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',172,'roll 2',-1,'chance',1795013405609,'',NULL,173,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',173,'move 2',1,'bot',1795013405614,'',NULL,175,'33d4a815d3006efe');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',174,'roll 1',-1,'chance',1795013405614,'',NULL,175,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',175,'pass',0,'person',1795013405627,'','2xjrn7n3bx7j4jtd:ca02135e92b1d3f2',177,'34a758eadcc16c3b');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',176,'roll 4',-1,'chance',1795013405627,'',NULL,177,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',177,'move 4',1,'bot',1795013405633,'',NULL,179,'d72211535a67e0f5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',178,'roll 2',-1,'chance',1795013405633,'',NULL,179,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',179,'move 2',0,'person',1795013405656,'','2xjrn7n3bx7j4jtd:d17f9acae01f5057',181,'816a19b1ffa3aeee');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',180,'roll 4',-1,'chance',1795013405656,'',NULL,181,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',181,'move 4',1,'bot',1795013405659,'',NULL,183,'e02b554dcf4d101e');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',182,'roll 3',-1,'chance',1795013405659,'',NULL,183,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',183,'move 3',0,'person',1795013405693,'','2xjrn7n3bx7j4jtd:571242425051c1cc',185,'536618ef286ede47');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',184,'roll 5',-1,'chance',1795013405693,'',NULL,185,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',185,'move 5',1,'bot',1795013405702,'',NULL,187,'4bc365dff05ed5d0');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',186,'roll 5',-1,'chance',1795013405702,'',NULL,187,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',187,'move 5',0,'person',1795013405720,'','2xjrn7n3bx7j4jtd:59a54a7bb1fee08f',189,'09ddf37ed232d265');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',188,'roll 2',-1,'chance',1795013405720,'',NULL,189,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',189,'move 2',1,'bot',1795013405725,'',NULL,191,'9d52564d0a9a473a');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',190,'roll *',-1,'chance',1795013405725,'',NULL,191,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',191,'move 5',0,'person',1795013405739,'','2xjrn7n3bx7j4jtd:7f26144b98289fcd',193,'b3b74c07c2f26b86');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',192,'roll *',-1,'chance',1795013405739,'',NULL,193,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',193,'move 4',1,'bot',1795013405743,'',NULL,195,'d0ec9b759190ab2c');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',194,'roll 4',-1,'chance',1795013405743,'',NULL,195,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',195,'move 4',0,'person',1795013405781,'','2xjrn7n3bx7j4jtd:cc011cdd9474031b',197,'31a4960923db9c60');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',196,'roll 3',-1,'chance',1795013405781,'',NULL,197,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',197,'move 3',1,'bot',1795013405793,'',NULL,199,'a4a706500f5eb4f8');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',198,'roll 5',-1,'chance',1795013405793,'',NULL,199,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',199,'split 3 2',0,'person',1795013405818,'','2xjrn7n3bx7j4jtd:119a72d174c9df6a',201,'6d3729bc159d3783');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',200,'roll 2',-1,'chance',1795013405818,'',NULL,201,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',201,'move 2',1,'bot',1795013405831,'',NULL,203,'5accf137044e6ead');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',202,'roll 3',-1,'chance',1795013405831,'',NULL,203,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',203,'move 3',0,'person',1795013405929,'','2xjrn7n3bx7j4jtd:17f5e837d70820fe',205,'4dede57eb2c8114f');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',204,'roll 5',-1,'chance',1795013405929,'',NULL,205,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',205,'split 2 3',1,'bot',1795013405964,'',NULL,207,'519d1361fda3034d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',206,'roll 4',-1,'chance',1795013405964,'',NULL,207,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',207,'move 4',0,'person',1795013405980,'','2xjrn7n3bx7j4jtd:451abd81f1d69ed6',209,'8fbbb73db7a47c86');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',208,'roll 5',-1,'chance',1795013405980,'',NULL,209,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',209,'move 5',1,'bot',1795013405995,'',NULL,211,'7ddfb25a615c6810');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',210,'roll 3',-1,'chance',1795013405995,'',NULL,211,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',211,'move 3',0,'person',1795013406032,'','2xjrn7n3bx7j4jtd:b2715945795e8229',213,'995681065f12de1c');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',212,'roll *',-1,'chance',1795013406032,'',NULL,213,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',213,'move 5',1,'bot',1795013406079,'',NULL,215,'a315c1805626ce24');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',214,'roll 4',-1,'chance',1795013406079,'',NULL,215,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',215,'move 4',0,'person',1795013406098,'','2xjrn7n3bx7j4jtd:10a3d6b2aa05e11a',217,'62a210fe24f41d35');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',216,'roll 2',-1,'chance',1795013406098,'',NULL,217,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',217,'move 2',1,'bot',1795013406182,'',NULL,219,'8a960d8676498bf2');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',218,'roll 2',-1,'chance',1795013406182,'',NULL,219,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',219,'move 2',0,'person',1795013406220,'','2xjrn7n3bx7j4jtd:bb2d420f0f88080b',221,'7c38048306d5f4bd');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',220,'roll *',-1,'chance',1795013406220,'',NULL,221,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',221,'move 4',1,'bot',1795013406325,'',NULL,223,'5c869799a8e1e993');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',222,'roll *',-1,'chance',1795013406325,'',NULL,223,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',223,'move 2',0,'person',1795013406344,'','2xjrn7n3bx7j4jtd:4f426dcbb394fb36',225,'4ee44f875a8bf2e5');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',224,'roll 3',-1,'chance',1795013406344,'',NULL,225,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',225,'move 3',1,'bot',1795013406348,'',NULL,227,'dd6b5d9090e6258a');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',226,'roll *',-1,'chance',1795013406348,'',NULL,227,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',227,'move 3',0,'person',1795013406363,'','2xjrn7n3bx7j4jtd:93f448b3a5aa3c81',229,'536aa67e65ea303f');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',228,'roll 4',-1,'chance',1795013406363,'',NULL,229,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',229,'move 4',1,'bot',1795013406366,'',NULL,231,'faa613001257e354');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',230,'roll *',-1,'chance',1795013406366,'',NULL,231,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',231,'move 5',0,'person',1795013406385,'','2xjrn7n3bx7j4jtd:ae658f33fe3b890b',233,'1fc8b2097b1937f9');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',232,'roll 4',-1,'chance',1795013406385,'',NULL,233,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',233,'move 4',1,'bot',1795013406389,'',NULL,235,'1121058ff1bbb5d8');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',234,'roll 2',-1,'chance',1795013406389,'',NULL,235,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',235,'move 2',0,'person',1795013406406,'','2xjrn7n3bx7j4jtd:72158370d269a9a5',237,'b4767fd151c349cd');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',236,'roll *',-1,'chance',1795013406406,'',NULL,237,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',237,'move 4',1,'bot',1795013406410,'',NULL,239,'adc23e85db3f449d');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',238,'roll 4',-1,'chance',1795013406410,'',NULL,239,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',239,'move 4',0,'person',1795013406434,'','2xjrn7n3bx7j4jtd:b774eb5248db40af',241,'47d2686244d76d94');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',240,'roll 2',-1,'chance',1795013406434,'',NULL,241,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',241,'move 2',1,'bot',1795013406438,'',NULL,243,'cad4f51b5cce2966');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',242,'roll 3',-1,'chance',1795013406438,'',NULL,243,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',243,'move 3',0,'person',1795013406457,'','2xjrn7n3bx7j4jtd:e315128862c33a4f',245,'ba79b74f75ba3df0');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',244,'roll 4',-1,'chance',1795013406457,'',NULL,245,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',245,'move 4',1,'bot',1795013406462,'',NULL,247,'5df3abb2f3d2de19');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',246,'roll 1',-1,'chance',1795013406462,'',NULL,247,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',247,'pass',0,'person',1795013406563,'','2xjrn7n3bx7j4jtd:58d5563dab2cd31e',249,'263a452d52b06698');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',248,'roll 1',-1,'chance',1795013406563,'',NULL,249,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',249,'pass',1,'bot',1795013406575,'',NULL,251,'07f923c306a45eaf');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',250,'roll *',-1,'chance',1795013406575,'',NULL,251,'');
INSERT INTO "actions" VALUES('fcps23m63hvzzq63',251,'move 2',0,'person',1795013406588,'','2xjrn7n3bx7j4jtd:f0ce583505c6af07',252,'25134e8bc82c9df0');
CREATE TABLE chat (
	"match" TEXT NOT NULL,
	number INTEGER NOT NULL,
	person TEXT NOT NULL,
	name TEXT NOT NULL,
	seat INTEGER NOT NULL,
	text TEXT NOT NULL,
	phrase TEXT,
	at BIGINT NOT NULL,
	PRIMARY KEY ("match", number),
	FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "chat" VALUES('dmjexp56vfechxau',1,'ugv9nuwdm57xqf5y','Ben',1,'Good evening',NULL,1795013404427);
INSERT INTO "chat" VALUES('dmjexp56vfechxau',2,'2xjrn7n3bx7j4jtd','Ada',0,'','good_luck',1795013404449);
CREATE TABLE credentials (
	digest TEXT NOT NULL,
	person TEXT NOT NULL,
	PRIMARY KEY (digest),
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "credentials" VALUES('13d84d6c2a74da7414dadab6625c9efa9e21f344611bc26a1a8d8a809fe2d8e4','2xjrn7n3bx7j4jtd');
INSERT INTO "credentials" VALUES('f07a37954f8acdf3c335e46e7b6df5234903107adf9a4d7e5d308703915391bd','ugv9nuwdm57xqf5y');
INSERT INTO "credentials" VALUES('ea294c1a5dff0b26fbd7c7a16052b418398b69efaf49eb24190237350a4580fd','238hbj6tcvvgwpt4');
INSERT INTO "credentials" VALUES('da7f84b0e8968dbf71c4b5e6553fdf6187ac6895e6577311b79a7f564dde985e','csdbvk94nkbqu6bx');
CREATE TABLE facts (
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('schema','1');
CREATE TABLE matches (
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	game TEXT NOT NULL,
	rules INTEGER NOT NULL,
	components TEXT NOT NULL,
	layout TEXT NOT NULL,
	options TEXT NOT NULL,
	seed TEXT NOT NULL,
	status TEXT NOT NULL,
	state BLOB,
	ply INTEGER NOT NULL,
	to_play INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	host TEXT NOT NULL,
	clock TEXT NOT NULL,
	"left" TEXT NOT NULL,
	since BIGINT,
	deadline BIGINT,
	bot_turn BOOLEAN NOT NULL,
	claimed BIGINT NOT NULL,
	public BOOLEAN NOT NULL,
	spectators BOOLEAN NOT NULL,
	hints BOOLEAN NOT NULL,
	chat BOOLEAN NOT NULL,
	stand_in TEXT NOT NULL,
	created BIGINT NOT NULL,
	changed BIGINT NOT NULL,
	result TEXT,
	score INTEGER,
	daily TEXT,
	daily_of TEXT,
	follows TEXT,
	rematch TEXT,
	PRIMARY KEY (id),
	UNIQUE (game, daily, daily_of),
	UNIQUE (follows)
);
INSERT INTO "matches" VALUES('dmjexp56vfechxau',16,'moon-leap',1,'c80c9403fcaa','7aafd7e557e4','{}','31cd28a6e15624d940e1343113c2d299','playing',X'0300000000000000000000000100000000000000000801000700000005020900000300060004000000000000FF000102020102000001FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',25,0,25,'2xjrn7n3bx7j4jtd','{"kind":"none"}','[null,null,null]',1795013251999,NULL,0,0,1,1,1,1,'greedy',1795013210739,1795013251999,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES('y49aifxpbui5t3v8',12,'nova-luna',1,'','ed6d6b189bc8','{"tokens":"full"}','db9e2fc5a2dde79037f86039dde73234','playing',X'03000000010000000300000009000000FFFFFFFF44000000060000003900000003000000000000000000000014000000140000001400000014000000000000000B0000000400000005000000000000000300000001000000010000000000000008000000040000000400000000000000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE907FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF8F07FFFFFFFFFFFFFFFFFFFFBC07FFFFFFFFFFFFBC07FFFFFFFFFFFFBC07FFFFFFFFFFFF9007BD07E807160815086207BB076307FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE9078F07E8079007FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE9078F07E8079007FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF38FDFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC22FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFAFBFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9F7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF32FEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF83CFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFCFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFDFBFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF40FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFCFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFDFBFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF382232444444444444444444444444444444444444444444444444444444444444443C444444444444444444444444444444444444444444444444444444444444444444404444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444010200FF44444418440D442431443437000102030405060708090A0B0C0E0F1011121314151617191A1B1C1D1E1F20212325262728292A2B2C2D2E2F30333536393A3B3D3E3F414243444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444443844444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444443844444444444444444444444444444444444444444444442232444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444444422444444444444444444444444444444324444444444384444443C444444404444444444444444444444444444444444444444444444444444444444444444444444444422444444444444444444444444444444324444444444384444443C44444440444444440000000000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000010000000000010000000100000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',24,1,24,'2xjrn7n3bx7j4jtd','{"kind":"none"}','[null,null,null]',1795013404381,NULL,0,0,1,1,1,1,'greedy',1795013252032,1795013404381,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES('xaf93whu4vwz2gpw',2,'via-nebula',1,'03b87169b355','0ccdc2a65f7d','{"map":"beginner"}','4f3266c18261f0bc245740bed69099e0','playing',X'0300000000000000000000000400000000000000020000000000000000000000FFFFFFFF0C00000000000000FFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFF00000000000000000000000000000000FFFF100C0604FF1105130E0D070203FF120A000B0F080901FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000400000400000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000101010101010101010101010101010101010101020202020200020000000000000002020000000000020000000000000000000000000000000001030504040105030A100109100000000200000003000000050000000200000000000000100000000200000003000000050000000200000000000000100000000200000003000000050000000200000000000000000000000000000000000000000000000000000000000000',35,0,35,'2xjrn7n3bx7j4jtd','{"kind":"none"}','[null,null,null]',1795013404405,NULL,0,0,1,1,1,1,'greedy',1795013404394,1795013404405,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES('fcps23m63hvzzq63',127,'moon-leap',1,'c80c9403fcaa','7aafd7e557e4','{}','259298dac9fb6397b5e47f515e45b808','over',X'02000000FEFFFFFF0000000000000000010000000024231B1009002521171F0E000000000000000000000000FFFFFFFFFFFFFFFFFF00FFFFFFFF01FF00FFFFFFFFFFFF01FFFFFF00FFFFFF01FF01FF000001',252,-2,252,'2xjrn7n3bx7j4jtd','{"kind":"none"}','[null,null]',NULL,NULL,0,0,0,1,1,1,'greedy',1795013404456,1795013406588,'{"scores":[77,70],"places":[1,2],"resigned":false}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "matches" VALUES('tx3fzy4p6uhqt9s2',1,'nova-luna',1,'','ed6d6b189bc8','{"tokens":"full"}','1bdae1f15f0f0a81fb85cad923bfc1ba','waiting',NULL,0,-1,0,'2xjrn7n3bx7j4jtd','{"kind":"none"}','[null,null,null]',NULL,NULL,0,0,1,1,1,1,'greedy',1795013406604,1795013406604,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE people (
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	created BIGINT NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "people" VALUES('2xjrn7n3bx7j4jtd','Ada',1795013210708);
INSERT INTO "people" VALUES('ugv9nuwdm57xqf5y','Ben',1795013210716);
INSERT INTO "people" VALUES('238hbj6tcvvgwpt4','Tycho',1795013210719);
INSERT INTO "people" VALUES('csdbvk94nkbqu6bx','Passing by',1795013210722);
CREATE TABLE reviews (
	"match" TEXT NOT NULL,
	remarks TEXT NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE seats (
	"match" TEXT NOT NULL,
	seat INTEGER NOT NULL,
	held_by TEXT NOT NULL,
	person TEXT,
	name TEXT NOT NULL,
	bot TEXT,
	absent BOOLEAN NOT NULL,
	resigned BOOLEAN NOT NULL,
	secret TEXT,
	present BIGINT NOT NULL,
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "seats" VALUES('dmjexp56vfechxau',0,'person','2xjrn7n3bx7j4jtd','Ada',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('dmjexp56vfechxau',1,'person','ugv9nuwdm57xqf5y','Ben',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('dmjexp56vfechxau',2,'bot',NULL,'random','random',0,0,NULL,0);
INSERT INTO "seats" VALUES('y49aifxpbui5t3v8',0,'person','2xjrn7n3bx7j4jtd','Ada',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('y49aifxpbui5t3v8',1,'person','ugv9nuwdm57xqf5y','Ben',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('y49aifxpbui5t3v8',2,'bot',NULL,'random','random',0,0,NULL,0);
INSERT INTO "seats" VALUES('xaf93whu4vwz2gpw',0,'person','2xjrn7n3bx7j4jtd','Ada',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('xaf93whu4vwz2gpw',1,'person','ugv9nuwdm57xqf5y','Ben',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('xaf93whu4vwz2gpw',2,'bot',NULL,'random','random',0,0,NULL,0);
INSERT INTO "seats" VALUES('fcps23m63hvzzq63',0,'person','2xjrn7n3bx7j4jtd','Ada',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('fcps23m63hvzzq63',1,'bot',NULL,'random','random',0,0,NULL,0);
INSERT INTO "seats" VALUES('tx3fzy4p6uhqt9s2',0,'person','2xjrn7n3bx7j4jtd','Ada',NULL,0,0,NULL,0);
INSERT INTO "seats" VALUES('tx3fzy4p6uhqt9s2',1,'friend',NULL,'',NULL,0,0,'dd7066b2b4cb7fb21ae4ffe36d48314e3031ed887e8585e0a82021e3eefbc22b',0);
INSERT INTO "seats" VALUES('tx3fzy4p6uhqt9s2',2,'open',NULL,'',NULL,0,0,NULL,0);
CREATE INDEX matches_lobby ON matches (public, status, changed);
CREATE INDEX matches_due ON matches (status, deadline);
CREATE INDEX matches_bot ON matches (status, bot_turn, claimed);
CREATE INDEX seats_person ON seats (person);
COMMIT;
