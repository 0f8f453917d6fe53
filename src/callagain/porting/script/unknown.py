"""Functions that are not here: what to say about a name that no function has.

Source of the names: the index of functions of the reference (docs.jitterbit.com/studio/functions), as the
interpreter `jitterbit-script` of M. Kapala lists it.
"""

from difflib import get_close_matches

from callagain.porting.script.errors import UnknownFunctionError
from callagain.porting.script.functions.registry import FUNCTIONS
from callagain.porting.script.syntax import Call, Script

_NAMES = """
    AESDecryption AESEncryption ArchiveFile ArrayToMultipleValues Attribute AutoNumber Base64EncodeFile
    CacheLookup CallStoredProcedure CancelOperation ConvertTimeZone Count CountSourceRecords CreateNode
    DBCloseConnection DBExecute DBLoad DBLookup DBLookupAll DBRollbackTransaction DBWrite DebugBreak
    DeleteFile DeleteFiles DiffAdd DiffComplete DiffDelete DiffKeyList DiffNode DiffUpdate DirList Exist
    FileList FindByPos FindValue FlushAllFiles FlushFile GetAgentGroupID GetAgentGroupName GetAgentID
    GetAgentName GetAgentVersionID GetAgentVersionName GetChunkDataElement GetEnvironmentID
    GetEnvironmentName GetHostByIP GetInputString GetInstance GetLastOperationRunStartTime GetNodeName
    GetNodeValue GetOperationQueue GetOrganizationID GetOrganizationName GetSalesforceTimestamp
    GetServerName GetSourceAttrNames GetSourceElementNames GetSourceInstanceArray
    GetSourceInstanceElementArray GetSourceInstanceElementMap GetSourceInstanceMap GetUTCFormattedDate
    GetUTCFormattedDateTime GetXMLString InitCounter InitializeDiff IsNil LDAPAdd LDAPConnect
    LDAPDeleteEntry LDAPExecute LDAPRemove LDAPRename LDAPReplace LDAPSearch
    LoginToSalesforceAndGetTimeStamp Max MD5AsTwoNumbers Min NetSuiteGetSelectValue NetSuiteGetServerTime
    NetSuiteLogin OrderedDiffKeyList ReadFile RecordCount ReRunOperation ResetDiff ResolveOneOf RunPlugin
    RunXSLT SalesforceLogin SelectNodeFromXMLAny SelectNodes SelectNodesFromXMLAny SelectSingleNode
    SendEmail SendEmailMessage SendSystemEmail SetChunkDataElement SetDBInsert SetDBUpdate SetDiffChunkSize
    SetInstances SetSalesforceSession SfCacheLookup SfLookup SfLookupAll SfLookupAllToFile SortInstances
    SourceInstanceCount SQLEscape Sum SumCSV SumString TargetInstanceCount Unmap Validate WaitForOperation
    WriteFile
"""

NOT_SUPPORTED = frozenset(_NAMES.split())
"""Functions of Jitterbit that need a database, files, e-mail, a transformation or an agent."""

_NOT_SUPPORTED_BY_NAME = {name.lower(): name for name in NOT_SUPPORTED}


def unknown_calls(script: Script) -> list[Call]:
    """The calls of functions that are not here, in the order of the text."""
    calls = (call for call in script.calls() if call.name.lower() not in FUNCTIONS)
    return sorted(calls, key=lambda call: call.place)


def unknown_function(name: str) -> UnknownFunctionError:
    """The error for a call of a function that is not here: known to Jitterbit, misspelled, or neither."""
    official = _NOT_SUPPORTED_BY_NAME.get(name.lower())
    if official:
        message = (
            f"{official} is a function of Jitterbit that is not supported here; write this step in Python"
        )
        return UnknownFunctionError(message, name)
    known = {function.name.lower(): function.name for function in FUNCTIONS.values()} | _NOT_SUPPORTED_BY_NAME
    near = get_close_matches(name.lower()[:60], known, n=1, cutoff=0.6)
    advice = f"did you mean {known[near[0]]}?" if near else "check its spelling; to set a variable, write ="
    return UnknownFunctionError(f"there is no function '{name[:60]}'; {advice}", name)
