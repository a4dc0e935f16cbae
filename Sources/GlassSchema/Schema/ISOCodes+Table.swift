// Written by scripts/iso-codes from iso-codes, as pycountry 26.2.16 contains it, the languages of Debian's package
// iso-codes, and CLDR, as Babel 2.19.0 contains it. Do not edit.

extension ISOCodes {
    /// The date of the data.
    static let date = "2026-02-16"

    /// The currencies of ISO 4217.
    static let currencyTable = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
        CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF \
        GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR \
        LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN \
        PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS \
        TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC \
        XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG
        """

    /// Former currencies, each with the last day on which it was legal tender.
    static let formerCurrencyTable = """
        ANG=2025-06-30 BGN=2026-01-31 CUC=2021-06-01 HRK=2023-01-14 SLL=2023-12-31 ZWL=2024-08-31
        """

    /// The countries of ISO 3166-1.
    static let countryTable = """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY \
        BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK \
        FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR \
        IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK \
        ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM \
        PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF \
        TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """

    /// The languages of ISO 639-1, and those of ISO 639-2 that have no code there.
    static let languageTable = """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee \
        el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is \
        it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms \
        mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk \
        sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
        yo za zh zu ace ach ada ady afa afh ain akk ale alg alt ang anp apa arc arn arp art arw ast ath aus awa bad \
        bai bal ban bas bat bej bem ber bho bik bin bla bnt bra btk bua bug byn cad cai car cau ceb cel chb chg chk \
        chm chn cho chp chr chy cmc cnr cop cpe cpf cpp crh crp csb cus dak dar day del den dgr din doi dra dsb dua \
        dum dyu efi egy eka elx enm ewo fan fat fil fiu fon frm fro frr frs fur gaa gay gba gem gez gil gmh goh gon \
        gor got grb grc gsw gwi hai haw hil him hit hmn hsb hup iba ijo ilo inc ine inh ira iro jbo jpr jrb kaa kab \
        kac kam kar kaw kbd kha khi kho kmb kok kos kpe krc krl kro kru kum kut lad lah lam lez lol loz lua lui lun \
        luo lus mad mag mai mak man map mas mdf mdr men mga mic min mis mkh mnc mni mno moh mos mul mun mus mwl mwr \
        myn myv nah nai nap nds new nia nic niu nog non nqo nso nub nwc nym nyn nyo nzi osa ota oto paa pag pal pam \
        pap pau peo phi phn pon pra pro raj rap rar roa rom rup sad sah sai sal sam sas sat scn sco sel sem sga sgn \
        shn sid sio sit sla sma smi smj smn sms snk sog son srn srr ssa suk sus sux syc syr tai tem ter tet tig tiv \
        tkl tlh tli tmh tog tpi tsi tum tup tut tvl tyv udm uga umb und vai vot wak wal war was wen xal yao yap ypk \
        zap zbl zen zgh znd zun zxx zza
        """

    /// The languages of ISO 639-2 with their codes of ISO 639-1.
    static let shortLanguageTable = """
        aar=aa abk=ab afr=af aka=ak amh=am ara=ar arg=an asm=as ava=av ave=ae aym=ay aze=az bak=ba bam=bm bel=be \
        ben=bn bih=bh bis=bi bod=bo bos=bs bre=br bul=bg cat=ca ces=cs cha=ch che=ce chu=cu chv=cv cor=kw cos=co \
        cre=cr cym=cy dan=da deu=de div=dv dzo=dz ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fij=fj \
        fin=fi fra=fr fry=fy ful=ff gla=gd gle=ga glg=gl glv=gv grn=gn guj=gu hat=ht hau=ha heb=he her=hz hin=hi \
        hmo=ho hrv=hr hun=hu hye=hy ibo=ig ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik isl=is ita=it jav=jv \
        jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw kir=ky kom=kv kon=kg kor=ko kua=kj \
        kur=ku lao=lo lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg mah=mh mal=ml mar=mr mkd=mk mlg=mg \
        mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng nep=ne nld=nl nno=nn nob=nb nor=no \
        nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa pli=pi pol=pl por=pt pus=ps que=qu roh=rm ron=ro run=rn \
        rus=ru sag=sg san=sa sin=si slk=sk slv=sl sme=se smo=sm sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc \
        srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta tat=tt tel=te tgk=tg tgl=tl tha=th tir=ti ton=to tsn=tn \
        tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk urd=ur uzb=uz ven=ve vie=vi vol=vo wln=wa wol=wo xho=xh yid=yi \
        yor=yo zha=za zho=zh zul=zu
        """
}
