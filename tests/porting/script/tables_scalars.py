"""What the functions of conversion, dates, numbers and encodings give."""

from datetime import datetime

from tests.porting.script.evaluating import Fails
from tests.porting.script.tables_logical_and_general import Table

CONVERSION: Table = {
    "BinaryToHex": [
        ("BinaryToHex(HexToBinary('00FF'))", "00ff"),
        ("BinaryToHex('a')", Fails("to be binary")),
    ],
    "BinaryToUUID": [
        (
            "BinaryToUUID(UUIDToBinary('2F46DAD9-E697-428E-B248-EDE2A6A1B3D4'))",
            "2f46dad9-e697-428e-b248-ede2a6a1b3d4",
        ),
        ("BinaryToUUID(HexToBinary('00'))", Fails("to have 16 bytes; it has 1")),
    ],
    "UUIDToBinary": [("UUIDToBinary('x')", Fails("to be a UUID of 36 characters"))],
    "Bool": [
        ("Bool(2)", True),
        ("Bool(0)", False),
        ("Bool('TRUE')", True),
        ("Bool('t')", True),
        ("Bool('yes')", False),
        ("Bool('1')", True),
        ("Bool(Null())", False),
    ],
    "Date": [
        ("Date('12/25/2018 12:30')", datetime(2018, 12, 25, 12, 30)),
        ("Date('2018-12-25')", datetime(2018, 12, 25)),
        ("Date('2018-12-25T12:30:00')", datetime(2018, 12, 25, 12, 30)),
        ("Date('2018-12-25T12:30:00+02:00')", datetime(2018, 12, 25, 10, 30)),
        ("Date('December 25, 2018')", datetime(2018, 12, 25)),
        ("Date('DEC 25, 2018')", datetime(2018, 12, 25)),
        ("Date('25-Dec-18')", datetime(2018, 12, 25)),
        ("Date(86400)", datetime(1970, 1, 2)),
        ("Date(Long(Now())) == Now()", True),
        ("Date('tomorrow')", Fails("'tomorrow' is no date; write it as yyyy-mm-dd HH:MM:SS")),
        ("Date('2018-13-45')", Fails("is no date")),
        ("Date(true)", Fails("a value of type bool is no date")),
    ],
    "Double": [
        ("Double('1.50')", 1.5),
        ("Double('-.5x')", -0.5),
        ("Double('abc')", 0),
        ("Double(Null())", 0),
    ],
    "Float": [("Float('1.25')", 1.25)],
    "HexToBinary": [
        ("HexToBinary('61ff')", b"a\xff"),
        ("HexToBinary('x')", Fails("pairs of hexadecimal digits")),
    ],
    "HexToString": [("HexToString('616263')", "abc"), ("HexToString('c3a9')", "é")],
    "Int": [
        ("Int('12abc')", 12),
        ("Int(-2.7)", -2),
        ("Int('abc')", 0),
        ("Int(true)", 1),
        ("Int(Date('1970-01-02'))", 86400),
        ("Int({1})", Fails("a value of type array is no number")),
    ],
    "Long": [("Long('12345678901')", 12345678901)],
    "String": [
        ("String(1.0)", "1"),
        ("String(0.1 + 0.2)", "0.30000000000000004"),
        ("String(1 / 1000000)", "0.000001"),
        ("String(1 / 10000000)", "1e-7"),
        ("String(100000 ^ 5)", "1e+25"),
        ("String(true) + String(false)", "10"),
        ("String(Null())", None),
        ("String({1, 'a', {true}})", "{1,a,{1}}"),
        ("d = Dict(); d['a'] = 'x'; d['b'] = 1; String(d)", '[a=>"x",b=>"1"]'),
        ("String(Date('2018-12-25T12:30:00'))", "2018-12-25 12:30:00"),
        ("String(HexToBinary('6162'))", "ab"),
        ("String(HexToBinary('6100'))", "6100"),
    ],
    "StringToHex": [("StringToHex('abc')", "616263"), ("StringToHex('é')", "c3a9")],
}

DATE: Table = {
    "Now": [("String(Now())", "2026-03-05 12:30:15")],
    "Now_": [("String(Now_())", "2026-03-05 12:30:15.250")],
    "FormatDate": [
        ("FormatDate(Now(), 'yyyy-mm-ddTHH:MM:SS')", "2026-03-05T12:30:15"),
        ("FormatDate('2018-12-05', 'm/d/yy')", "12/5/18"),
        ("FormatDate('2018-12-25', 'dddd, mmmm d, yyyy')", "Tuesday, December 25, 2018"),
        ("FormatDate('2018-12-25 15:05', 'ddd dd mmm hh:MM AM/PM')", "Tue 25 Dec 03:05 PM"),
        ("FormatDate(Double(Left('1478119530707', 10)), 'yyyy-mm-dd')", "2016-11-02"),
        ("FormatDate(Now_(), 'SS.fff')", "15.250"),
    ],
    "CVTDate": [
        ("CVTDate('25.12.2018', 'dd.mm.yyyy', 'yyyy-mm-dd')", "2018-12-25"),
        ("CVTDate('20181225153005', 'yyyymmddHHMMSS', 'mm/dd/yyyy hh:MM AM/PM')", "12/25/2018 03:30 PM"),
        ("CVTDate('Dec 5, 18 3:05 PM', 'mmm d, yy h:MM AM/PM', 'yyyy-mm-dd HH:MM')", "2018-12-05 15:05"),
        ("CVTDate(Now(), '', 'yyyy')", "2026"),
        ("CVTDate('x', 'dd', 'yyyy')", Fails("'x' is no date in the format 'dd'")),
        ("CVTDate('1', 'dd dd', 'yyyy')", Fails("has a part of the date twice")),
    ],
    "DateAdd": [
        ("DateAdd('dd', -3, '1/1/2007')", "2006-12-29 00:00:00"),
        ("DateAdd('mm', 1, '2018-01-31')", "2018-02-28 00:00:00"),
        ("DateAdd('yyyy', 1, '2020-02-29')", "2021-02-28 00:00:00"),
        ("DateAdd('hh', 1, '2018-01-31 23:30')", "2018-02-01 00:30:00"),
        (
            "DateAdd('week', 1, '2018-01-31')",
            Fails("DateAdd wants datepart to be yyyy, mm, dd, hh, mi or ss"),
        ),
        ("DateAdd('yyyy', 9999, '2018-01-31')", Fails("outside of the years 1 to 9999")),
    ],
    "DayOfMonth": [("DayOfMonth('2018-12-25')", 25)],
    "DayOfWeek": [("DayOfWeek('2018-12-25')", 2), ("DayOfWeek('2018-12-23')", 0)],
    "MonthOfYear": [("MonthOfYear('2018-12-25')", 12)],
    "LastDayOfMonth": [("LastDayOfMonth('2020-02-05')", datetime(2020, 2, 29))],
    "GeneralDate": [("GeneralDate('2018-12-25T15:30:05')", "12/25/2018 03:30:05 PM")],
    "LongDate": [("LongDate('2018-12-25')", "Tuesday, December 25, 2018")],
    "MediumDate": [("MediumDate('2018-12-25')", "25-Dec-18")],
    "ShortDate": [("ShortDate('2018-12-05')", "12/5/18")],
    "LongTime": [("LongTime('2018-12-25T00:30:05')", "12:30:05 AM")],
    "MediumTime": [("MediumTime('2018-12-25T15:30:05')", "03:30 PM")],
    "ShortTime": [("ShortTime('2018-12-25T15:30:05')", "15:30")],
}

MATH: Table = {
    "Ceiling": [("Ceiling(1.2)", 2), ("Ceiling(-1.2)", -1)],
    "Floor": [("Floor(1.8)", 1), ("Floor(-1.2)", -2)],
    "Exp": [("Exp(0)", 1), ("Exp(1000)", Fails("Exp(1000) is no finite number"))],
    "Log": [("Log(1)", 0), ("Log(0)", Fails("no finite number"))],
    "Log10": [("Log10(1000)", 3)],
    "Sqrt": [("Sqrt(9)", 3), ("Sqrt(-1)", Fails("no finite number"))],
    "Pow": [
        ("Pow(2, 10)", 1024),
        ("Pow(2, 0.5)", 2**0.5),
        ("Pow(0, 0)", 1),
        ("Pow(10, 400)", Fails("no finite")),
    ],
    "Mod": [("Mod(7, 3)", 1), ("Mod(-7, 3)", -1), ("Mod(7, -3)", 1), ("Mod(7, 0)", 7), ("Mod(7.9, 2)", 1)],
    "Round": [
        ("Round(2.345, 2)", "2.35"),
        ("Round(2.5)", "3"),
        ("Round(-2.5)", "-3"),
        ("Round(2, 2)", "2.00"),
    ],
    "RoundToInt": [("RoundToInt(2.5)", 3), ("RoundToInt(2.4)", 2), ("RoundToInt(-2.5)", -2)],
}

CRYPTOGRAPHIC: Table = {
    "Base64Encode": [
        ("Base64Encode('abc')", "YWJj"),
        ("Base64Encode(HexToBinary('00ff'))", "AP8="),
        ("Index(Base64Encode(RPad('', 60)), '\\n')", 64),
        ("$jitterbit.base64.encoded.string.no.wrap = true; Index(Base64Encode(RPad('', 60)), '\\n')", -1),
    ],
    "Base64Decode": [
        ("Base64Decode('YWJj')", b"abc"),
        ("Base64Decode('YW\\nJj') + ''", Fails("cannot add binary + string")),
        ("Base64Decode('?')", Fails("Base64Decode wants a base64 string")),
    ],
    "MD5": [("MD5('abc')", "900150983cd24fb0d6963f7d28e17f72")],
    "SHA256": [("Left(SHA256('abc'), 16)", "ba7816bf8f01cfea")],
}
